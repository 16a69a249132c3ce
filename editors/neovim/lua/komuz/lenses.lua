-- SPDX-License-Identifier: Apache-2.0
-- Lenses behind their lines: how a sketch ranks, how tests end, what functions cost. The editor draws them; when they are asked for is
-- told here, since no version before 0.12 asks by itself.
local M = {}

-- By buffer: a question is under way; another one is wanted behind it.
local asking, again = {}, {}

local function is_shown(buffer) return vim.api.nvim_buf_is_valid(buffer) and vim.api.nvim_buf_is_loaded(buffer) end

--- Asks for the lenses of a buffer and shows them.
function M.refresh(buffer)
  local komuz = require('komuz')
  local client = komuz.client(buffer)
  if not client or not is_shown(buffer) then return end
  if asking[buffer] then
    again[buffer] = true
    return
  end
  asking[buffer] = true
  komuz.request(client, buffer, 'textDocument/codeLens', { textDocument = { uri = vim.uri_from_bufnr(buffer) } }, function(problem, lenses, context)
    asking[buffer] = nil
    if again[buffer] then
      again[buffer] = nil
      return M.refresh(buffer)
    end
    if not problem and is_shown(buffer) then vim.lsp.codelens.on_codelens(nil, lenses, context) end
  end)
end

--- The server has run the tests of a text, or ranked a sketch on.
function M.refresh_all()
  for _, buffer in ipairs(vim.api.nvim_list_bufs()) do
    if is_shown(buffer) and vim.bo[buffer].filetype == 'komuz' then M.refresh(buffer) end
  end
end

--- Keeps the lenses of a buffer as its text is.
function M.attach(buffer)
  if vim.lsp.codelens.enable then return vim.lsp.codelens.enable(true, { bufnr = buffer }) end
  local group = vim.api.nvim_create_augroup('komuz_lenses_' .. buffer, {})
  vim.api.nvim_create_autocmd({ 'BufEnter', 'TextChanged', 'InsertLeave' }, {
    group = group, buffer = buffer, callback = function() M.refresh(buffer) end,
  })
  M.refresh(buffer)
end

return M
