-- SPDX-License-Identifier: Apache-2.0
-- Uses the package as a person would; see check_package.py.
local steps = assert(io.open(vim.env.KOMUZ_STEPS, 'a'))
local function say(...)
  steps:write(string.format(...), '\n')
  steps:flush()
end
local function fail(...)
  say('FAILED: ' .. select(1, ...), select(2, ...))
  vim.cmd('cquit 1')
end
local function expect(is, ...)
  if not is then fail(...) end
end
local thread
-- Waits until `what` gives something, and gives it.
local function wait_for(what)
  while true do
    local found = what()
    if found then return found end
    vim.defer_fn(function()
      local ok, problem = coroutine.resume(thread)
      if not ok then fail('%s', problem) end
    end, 10)
    coroutine.yield()
  end
end
local function text() return table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, true), '\n') end
local function keys(typed) vim.api.nvim_feedkeys(vim.api.nvim_replace_termcodes(typed, true, false, true), 'x', false) end
local function float()
  for _, window in ipairs(vim.api.nvim_list_wins()) do
    if vim.api.nvim_win_get_config(window).relative ~= '' then return window end
  end
end

local function drive()
  vim.cmd('edit bad.komuz')
  expect(vim.bo.filetype == 'komuz' and vim.b.current_syntax == 'komuz', 'the filetype is `%s`', vim.bo.filetype)
  expect(vim.bo.commentstring == '// %s' and vim.bo.shiftwidth == 4, 'the options of the filetype are not set')
  local found = wait_for(function() return vim.diagnostic.get(0)[1] end)
  expect(found.code == 'K0201', 'diagnostic: %s', vim.inspect(found))
  say('diagnostic: %s', found.message)
  local first = require('komuz').client(0)

  vim.cmd('edit sketch.komuz')
  local sketch = vim.api.nvim_get_current_buf()
  wait_for(function() return require('komuz').client(sketch) end)
  expect(require('komuz').client(sketch).id == first.id, 'a second server was started for the same project')
  -- It is evaluated while the file is opened.
  local window = wait_for(function()
    if not float() then vim.cmd('KomuzRanking') end
    return float()
  end)
  local function shown() return vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf(window), 0, -1, true) end
  wait_for(function() return #shown() == 6 end)
  local lines = shown()
  expect(lines[1] == '4 variants, 4 evaluated, 1 trapped', 'head of the ranking: %s', lines[1])
  expect(lines[2]:match('^rank%s+variant%s+squared%s+program$'), 'names of the columns: %s', lines[2])
  expect(lines[3]:match('^1%s+#1%s+0%s+k = 2%.0$'), 'first row: %s', lines[3])
  expect(lines[6]:match('^4%s+#3%s+%l+%s+k = NAN$'), 'last row: %s', lines[6])
  say('ranking: %s | %s | %s', lines[1], lines[3], lines[6])
  expect(vim.api.nvim_get_current_win() == window and vim.api.nvim_win_get_cursor(window)[1] == 3, 'the cursor is not at the best one')
  keys('j<CR>')
  wait_for(function() return text():find('-> f64 { x }', 1, true) end)
  expect(not float(), 'the ranking is still open')
  say('filled from the ranking: %s', vim.api.nvim_buf_get_lines(0, 2, 3, true)[1])
  keys('u')
  expect(text():find('?k[1.0, 2.0, 3.0, NAN]', 1, true), 'undo: %s', text())
  vim.cmd('KomuzFill')
  wait_for(function() return text():find('x * 2.0 }', 1, true) end)
  say('filled with the best: %s', vim.api.nvim_buf_get_lines(0, 2, 3, true)[1])
  keys('u')

  -- An open ranking follows what is typed.
  vim.cmd('KomuzRanking')
  window = wait_for(float)
  vim.api.nvim_buf_set_lines(sketch, 2, 3, true, { 'pub fn f(x: f64) -> f64 { x * ?k[2.0, 5.0] }' })
  wait_for(function() return shown()[1] == '2 variants, 2 evaluated' end)
  say('followed: %s | %s', shown()[1], shown()[3])
  keys('q')

  -- What a lens or an action calls.
  vim.cmd('edit! bad.komuz')
  local command = vim.lsp.get_client_by_id(first.id).commands['komuz.showRanking']
  command({ arguments = { vim.uri_from_bufnr(sketch) } })
  wait_for(float)
  keys('q')
  expect(not float(), 'q does not close the ranking')
  say('komuz.showRanking: shown and closed')

  -- Lenses tell how tests end, and follow what is typed.
  vim.cmd('edit! tests.komuz')
  local function lens()
    for _, one in ipairs(vim.lsp.codelens.get(0)) do
      if one.range.start.line == 0 and one.command then return one.command.title end
    end
    return ''
  end
  wait_for(function() return lens():find('expected 2.5, actual 2.0', 1, true) end)
  say('lens of a test: %s', lens())
  local said = {}
  vim.notify = function(words) table.insert(said, words) end
  vim.lsp.get_client_by_id(first.id).commands['komuz.run'] { command = 'komuz.run', arguments = { vim.uri_from_bufnr(0), 'half' } }
  wait_for(function() return said[1] end)
  expect(said[1]:find('half: ', 1, true) == 1, 'what is said of the test: %s', said[1])
  vim.api.nvim_buf_set_lines(0, 0, 1, true, { '/// >>> half(4.0) == 2.0' })
  wait_for(function() return lens():find('passed', 1, true) end)
  say('lens behind an edit: %s', lens())
  -- What a function costs is there to be read: choosing it does nothing, and says nothing.
  local costs = vim.tbl_filter(function(one) return one.command and one.command.command == '' end, vim.lsp.codelens.get(0))
  expect(#costs == 1, 'lenses that only tell something: %d', #costs)
  said = {}
  vim.api.nvim_win_set_cursor(0, { costs[1].range.start.line + 1, 0 })
  vim.lsp.codelens.run()
  expect(#said == 0, 'what is said of a lens that only tells something: %s', said[1])
  say('lens of a function: %s', costs[1].command.title)

  -- A name of a module comes with the `use` that it needs.
  expect(vim.bo.omnifunc ~= '' and vim.bo.tagfunc ~= '', 'the options of the server are not set')
  vim.o.completeopt = 'menuone'
  vim.api.nvim_input('Gofn middle(xs: [f64]) -> f64 { median_dev<C-x><C-o>')
  -- A slow machine gives up what was begun while typing; a person asks again then.
  local looks = 0
  wait_for(function()
    looks = looks + 1
    if looks % 300 == 0 then vim.api.nvim_input('<C-x><C-o>') end
    return vim.fn.pumvisible() == 1
  end)
  vim.api.nvim_input('<C-y>(xs) }<Esc>')
  wait_for(function() return text():find('use std.stats.{median_deviation}', 1, true) end)
  wait_for(function() return text():find('median_deviation(xs) }', 1, true) end)
  say('completed: %s', vim.api.nvim_buf_get_lines(0, 0, 1, true)[1])

  vim.cmd('enew! | setfiletype komuz')
  vim.api.nvim_buf_set_lines(0, 0, -1, true, { 'fn f(x: f64) -> f64 {', 'if x > 1.0 {', 'return x', '* 2.0;', '}', 'x', '}' })
  keys('gg=G')
  expect(text() == 'fn f(x: f64) -> f64 {\n    if x > 1.0 {\n        return x\n            * 2.0;\n    }\n    x\n}', 'indentation:\n%s', text())
  say('indented')
  say('done')
  vim.cmd('qall!')
end

thread = coroutine.create(drive)
vim.defer_fn(function()
  local ok, problem = coroutine.resume(thread)
  if not ok then fail('%s', problem) end
end, 0)
