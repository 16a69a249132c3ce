-- What Neovim's own client makes of the server: each answer is a line of $KOMUZ_ANSWERS.
local out = io.open(vim.env.KOMUZ_ANSWERS, 'w')
local function say(what, value)
  out:write(what .. ': ' .. (type(value) == 'string' and value or vim.json.encode(value)) .. '\n')
  out:flush()
end
local has_begun = false
local id = vim.lsp.start_client {
  cmd = { vim.env.KOMUZ, 'lsp' }, root_dir = vim.fn.getcwd(), on_init = function() has_begun = true end }
vim.lsp.buf_attach_client(0, id)
vim.wait(5000, function() return has_begun end, 1)

local function findings()
  local lines = {}
  for _, d in ipairs(vim.diagnostic.get(0)) do
    table.insert(lines, ('%d:%d-%d:%d %s'):format(d.lnum, d.col, d.end_lnum, d.end_col, d.message))
  end
  table.sort(lines)
  return table.concat(lines, '; ')
end
local function ask(method, line, column, more)
  local params = { textDocument = vim.lsp.util.make_text_document_params(), position = { line = line, character = column } }
  local answer = vim.lsp.buf_request_sync(0, method, vim.tbl_extend('force', params, more or {}), 5000)
  return answer and answer[id] and (answer[id].result or answer[id].error)
end

-- Those of all that was typed: the server answers in order, so they are there when another answer is.
local function settled_findings()
  ask('textDocument/documentSymbol', 0, 0)
  return findings()
end

say('findings', settled_findings())
say('hover', ask('textDocument/hover', 4, 6).contents.value)
local place = ask('textDocument/definition', 4, 19)
say('definition', vim.fn.fnamemodify(vim.uri_to_fname(place.uri), ':.') .. ' ' .. place.range.start.line)
local items = vim.lsp.util.extract_completion_items(ask('textDocument/completion', 4, 6))
say('completion', items[1].label .. ' ' .. items[1].detail)
local names = {}
for _, symbol in ipairs(ask('textDocument/documentSymbol', 0, 0)) do table.insert(names, symbol.name) end
say('symbols', table.concat(names, ' '))

-- A fix, as its menu would make it, and the text that comes of it.
local range = { start = { line = 2, character = 0 }, ['end'] = { line = 2, character = 40 } }
local action = ask('textDocument/codeAction', 2, 0, { range = range, context = { diagnostics = {} } })[1]
say('action', action.title)
vim.lsp.util.apply_workspace_edit(action.edit, 'utf-16')
say('fixed', vim.api.nvim_buf_get_lines(0, 2, 3, false)[1])
say('findings', settled_findings())

-- Typing, then a module that is open as well.
vim.api.nvim_buf_set_lines(0, 4, 5, false, { '    two.two( )+half(x)' })
say('findings', settled_findings())
vim.lsp.buf.formatting_sync(nil, 5000)
say('formatted', table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), '|'))
local buffer = vim.api.nvim_get_current_buf()
vim.cmd 'split lib/two.komuz'
vim.lsp.buf_attach_client(0, id)
vim.api.nvim_buf_set_lines(0, 0, 1, false, { 'pub fn two() -> i64 { 2 }' })
settled_findings()
vim.cmd 'wincmd p'
say('findings', settled_findings())
-- All of it goes.
vim.api.nvim_buf_set_lines(buffer, 0, -1, false, {})
say('findings', settled_findings())

vim.lsp.stop_client(id)
vim.wait(5000, function() return vim.lsp.client_is_stopped(id) end, 5)
say('stopped', tostring(vim.lsp.client_is_stopped(id)))
out:close()
vim.cmd 'qall!'
