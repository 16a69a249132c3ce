-- SPDX-License-Identifier: Apache-2.0
-- A name of a module is completed together with the `use` that it needs. Before 0.11 the editor itself changes nothing but the word.
local M = {}

local function completed()
  local item = vim.v.completed_item
  for _, key in ipairs { 'user_data', 'nvim', 'lsp', 'completion_item' } do
    item = type(item) == 'table' and item[key] or nil
  end
  return item
end

local function take(buffer)
  local client = require('komuz').client(buffer)
  local item = completed()
  local edits = item and item.additionalTextEdits
  if not client or not edits or #edits == 0 then return end
  -- The editor is still at the word.
  vim.schedule(function()
    if vim.api.nvim_buf_is_valid(buffer) then vim.lsp.util.apply_text_edits(edits, buffer, client.offset_encoding) end
  end)
end

function M.attach(buffer)
  if vim.fn.has('nvim-0.11') == 1 then return end
  local group = vim.api.nvim_create_augroup('komuz_completion_' .. buffer, {})
  vim.api.nvim_create_autocmd('CompleteDone', { group = group, buffer = buffer, callback = function() take(buffer) end })
end

return M
