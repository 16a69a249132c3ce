-- SPDX-License-Identifier: Apache-2.0
-- What Neovim, with the package of editors/neovim, makes of a session that it is attached to: each answer is a line of $KOMUZ_ANSWERS.
local function say(what, value)
  local out = assert(io.open(vim.env.KOMUZ_ANSWERS, 'a'))
  out:write(what .. ': ' .. value .. '\n')
  out:close()
end

local function until_true(what, is_it)
  if not vim.wait(30000, is_it, 20) then
    say('gave up waiting for', what)
    vim.cmd('cquit')
  end
end

local function findings()
  local list = vim.tbl_map(function(one) return one.message end, vim.diagnostic.get(0))
  table.sort(list)
  return table.concat(list, '; ')
end

local function go_to(word)
  vim.fn.cursor(1, 1)
  vim.fn.search(word, 'c')
end

local function ask(method, params)
  local client = require('komuz').client(0)
  local answer = assert(client.request_sync(method, params or vim.lsp.util.make_position_params(), 30000, 0))
  assert(not answer.err, vim.inspect(answer.err))
  return answer.result
end

vim.cmd('edit a.komuz')
until_true('the server', function() return require('komuz').client(0) ~= nil end)
until_true('findings', function() return findings() ~= '' end)
say('findings', findings())
go_to('half')
say('hover', ask('textDocument/hover').contents.value:match('fn half[^\n]*'))
vim.lsp.buf.definition()
until_true('the definition', function() return vim.api.nvim_get_current_line():match('^fn half') ~= nil end)
say('definition', vim.api.nvim_get_current_line())
vim.cmd('buffer a.komuz')
-- Whoever has the session is asked for the name that is missing.
say('ready', 'define it')
until_true('the new definition', function() return findings() == '' end)
say('findings', findings())
-- The way back, as a person takes it: the menu of code actions.
vim.ui.select = function(items, options, choose)
  for _, item in ipairs(items) do
    if options.format_item(item):match('in the session') then
      say('chosen', options.format_item(item))
      return choose(item)
    end
  end
end
go_to('both')
vim.lsp.buf.code_action()
-- The session says when that has come; it ends the stream then.
until_true('the end of the session', function() return require('komuz').client(0) == nil end)
say('lines', tostring(vim.fn.line('$')))
vim.cmd('quitall!')
