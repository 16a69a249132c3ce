-- SPDX-License-Identifier: Apache-2.0
-- Drives Neovim's own client by the plan; see check_client.py. A coroutine waits, so that the editor's loop goes on as under a user's hands.
local steps = assert(io.open(vim.env.KOMUZ_STEPS, 'a'))
local function say(...)
  steps:write(string.format(...), '\n')
  steps:flush()
end
local function fail(...)
  say('FAILED: ' .. select(1, ...), select(2, ...))
  vim.cmd('cquit 1')
end

local function read_json(path)
  local file = assert(io.open(path))
  local text = file:read('*a')
  file:close()
  return vim.json.decode(text)
end
local plan = read_json(vim.env.KOMUZ_PLAN)
local server = vim.json.decode(vim.env.KOMUZ_SERVER)

local thread
-- Waits until `what` gives something, and gives it.
local function wait_for(what)
  while true do
    local found = what()
    if found then return found end
    vim.defer_fn(function() coroutine.resume(thread) end, 10)
    coroutine.yield()
  end
end
local function text() return vim.api.nvim_buf_get_lines(0, 0, -1, true) end
-- Line and column from 0, in bytes, of a piece of the text that stands there once.
local function place(piece)
  for number, line in ipairs(text()) do
    local column = line:find(piece, 1, true)
    if column then return number - 1, column - 1 end
  end
  fail('the text has no `%s`', piece)
end
local function go_to(piece)
  local line, column = place(piece)
  vim.api.nvim_win_set_cursor(0, { line + 1, column })
end
local function keys(typed)
  vim.api.nvim_feedkeys(vim.api.nvim_replace_termcodes(typed, true, false, true), 'n', false)
end
local function expect_text(wanted, step)
  if not vim.deep_equal(text(), wanted) then
    fail('%s: the text is\n%s\nand should be\n%s', step, table.concat(text(), '\n'), table.concat(wanted, '\n'))
  end
end
local function same_error(d)
  local line, column = place(plan.error.at)
  return d.lnum == line and d.col == column and d.end_lnum == line and d.end_col == column + #plan.error.text
    and d.code == plan.error.code and d.message:find(plan.error.says, 1, true) and d.severity == vim.diagnostic.severity.ERROR
end
local function wait_for_error(step)
  wait_for(function()
    local found = vim.diagnostic.get(0)
    return #found == 1 and same_error(found[1])
  end)
  local d = vim.diagnostic.get(0)[1]
  say('%s: line %d, bytes %d to %d: %s: %s', step, d.lnum + 1, d.col, d.end_col, d.code, d.message)
end
local function wait_for_no_error(step)
  wait_for(function() return #vim.diagnostic.get(0) == 0 end)
  say('%s: no diagnostics', step)
end
-- An empty text has a fault of its own in some languages.
local function wait_for_other(step)
  local found = wait_for(function()
    local all = vim.diagnostic.get(0)
    for _, d in ipairs(all) do
      if d.code == plan.error.code then return false end
    end
    return all
  end)
  say('%s: %s', step, found[1] and found[1].message or 'no diagnostics')
end

-- What Neovim's own functions put into its list of places, as lines from 1.
local function listed(ask)
  vim.fn.setqflist({}, 'r', { items = {}, title = 'none' })
  ask()
  local list = wait_for(function()
    local all = vim.fn.getqflist()
    return #all > 0 and all
  end)
  vim.cmd('silent! cclose')
  return vim.tbl_map(function(one) return one.lnum end, list)
end
local function expect_lines(step, found, wanted)
  table.sort(found)
  if not vim.deep_equal(found, wanted) then fail('%s: lines %s', step, vim.inspect(found)) end
  say('%s: lines %s', step, table.concat(found, ', '))
end
local function ask_rows(client)
  local name, used = place(plan.definition.to) + 1, place(plan.definition.at) + 1
  go_to(plan.definition.at)
  expect_lines('references', listed(function() vim.lsp.buf.references() end), { name, used })
  expect_lines('symbols', listed(function() vim.lsp.buf.document_symbol() end), { name, used })
  expect_lines('symbols of the workspace', listed(function() vim.lsp.buf.workspace_symbol(plan.symbols[1]) end), { name })
  go_to(plan.definition.to)
  expect_lines('callers', listed(function() vim.lsp.buf.incoming_calls() end), { used })
  go_to(plan.definition.at)
  vim.lsp.buf.document_highlight()
  local marks = wait_for(function()
    local all = {}
    for _, namespace in pairs(vim.api.nvim_get_namespaces()) do
      for _, mark in ipairs(vim.api.nvim_buf_get_extmarks(0, namespace, 0, -1, { details = true })) do
        if (mark[4].hl_group or ''):match('^LspReference') then table.insert(all, mark[2] + 1) end
      end
    end
    return #all > 0 and all
  end)
  expect_lines('highlights', marks, { name, used })
  vim.lsp.buf.clear_references()
  vim.lsp.buf.declaration()
  wait_for(function() return vim.api.nvim_win_get_cursor(0)[1] == name end)
  say('declaration: line %d', name)
  local line, column = place(plan.definition.at)
  vim.api.nvim_win_set_cursor(0, { line + 1, column + #plan.symbols[1] + 1 })
  vim.lsp.buf.signature_help()
  local shown = wait_for(function()
    for _, window in ipairs(vim.api.nvim_list_wins()) do
      local lines = vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf(window), 0, -1, true)
      if vim.api.nvim_win_get_config(window).relative ~= '' and table.concat(lines, ' '):find(plan.symbols[1] .. '(', 1, true) then return lines end
    end
  end)
  say('signature: %s', table.concat(shown, ' | '))
  if client.server_capabilities.codeLensProvider then
    vim.lsp.codelens.refresh()
    local lenses = wait_for(function()
      local all = vim.lsp.codelens.get(0)
      return #all > 0 and all
    end)
    say('lenses: %d', #lenses)
  end
end

local function drive()
  vim.o.hidden = true
  vim.bo.filetype = plan.language
  local exit_code
  local id = vim.lsp.start_client({
    name = 'komuz', cmd = server, root_dir = vim.fn.getcwd(),
    on_exit = function(code) exit_code = code end,
  })
  vim.lsp.buf_attach_client(0, id)
  local client = wait_for(function()
    local one = vim.lsp.get_client_by_id(id)
    return one and one.initialized and one
  end)
  say('opened: %s in %s', plan.file, client.offset_encoding)
  wait_for_error('diagnostic')

  go_to(plan.hover.at)
  vim.lsp.buf.hover()
  local shown = wait_for(function()
    for _, window in ipairs(vim.api.nvim_list_wins()) do
      if vim.api.nvim_win_get_config(window).relative ~= '' then
        return table.concat(vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf(window), 0, -1, true), '\n')
      end
    end
  end)
  for _, words in ipairs(plan.hover.says) do
    if not shown:find(words, 1, true) then fail('hover: `%s` does not say `%s`', shown, words) end
  end
  say('hover: %s', vim.trim(shown:gsub('\n+', ' | ')))

  go_to(plan.definition.at)
  vim.lsp.buf.definition()
  local line, column = place(plan.definition.to)
  wait_for(function() return vim.deep_equal(vim.api.nvim_win_get_cursor(0), { line + 1, column }) end)
  say('definition: line %d, byte %d', line + 1, column)

  -- A line is typed as a user does, its name completed.
  vim.bo.omnifunc = 'v:lua.vim.lsp.omnifunc'
  vim.o.completeopt = 'menuone,noinsert'
  vim.api.nvim_buf_set_lines(0, -1, -1, true, { plan.typed.line })
  line, column = place(plan.typed.behind)
  vim.api.nvim_win_set_cursor(0, { line + 1, column + #plan.typed.behind - 1 })
  keys('a<C-x><C-o>')
  local info = wait_for(function()
    local one = vim.fn.complete_info({ 'items', 'pum_visible', 'selected' })
    return #one.items > 0 and one
  end)
  local words = vim.tbl_map(function(item) return item.word end, info.items)
  local index
  for number, word in ipairs(words) do
    if word == plan.typed.completion then index = number end
  end
  if not index then fail('completion: no `%s` in %s', plan.typed.completion, table.concat(words, ' ')) end
  keys(string.rep('<C-n>', index - 1) .. '<C-y>' .. plan.typed['then'] .. '<Esc>')
  local wanted = plan.typed.line:gsub('are', plan.typed.completion .. plan.typed['then'], 1)
  wait_for(function() return vim.api.nvim_get_mode().mode == 'n' and vim.tbl_contains(text(), wanted) end)
  say('completion: %s of %d', words[index], #words)
  wait_for_error('typed')

  vim.lsp.buf.formatting_sync(nil, 10000)
  expect_text(plan.formatted, 'formatting')
  say('formatting: as planned')
  wait_for_error('formatted')

  local titles = {}
  vim.ui.select = function(items, options, choose)
    for number, item in ipairs(items) do titles[number] = options.format_item(item) end
    for number, title in ipairs(titles) do
      if title:find(plan.fix, 1, true) then return choose(items[number]) end
    end
    fail('quick fix: no `%s` in %s', plan.fix, table.concat(titles, ', '))
  end
  go_to(plan.error.at)
  vim.lsp.buf.code_action()
  wait_for(function() return vim.tbl_contains(text(), plan.mended) end)
  say('quick fix: %s', table.concat(titles, ', '))
  wait_for_no_error('mended')

  if client.server_capabilities.renameProvider then
    go_to(plan.rename.at)
    vim.lsp.buf.rename(plan.rename.to)
    wait_for(function()
      local _, count = table.concat(text(), '\n'):gsub(plan.rename.to, '')
      return count == plan.rename.left
    end)
    say('rename: %d times %s', plan.rename.left, plan.rename.to)
    wait_for_no_error('renamed')
  else
    say('rename: the server has none')
  end

  -- What the server holds has to be what the editor shows, also after all is gone.
  vim.api.nvim_buf_set_lines(0, 0, -1, true, plan.text)
  wait_for_error('filled')
  vim.api.nvim_buf_set_lines(0, 0, -1, true, {})
  wait_for_other('emptied')
  vim.api.nvim_buf_set_lines(0, 0, -1, true, plan.text)
  wait_for_error('filled again')

  if plan.symbols then ask_rows(client) end
  vim.cmd('silent write')
  vim.cmd('bwipeout!')
  client.stop()
  if wait_for(function() return exit_code end) ~= 0 then fail('the server ended with %d', exit_code) end
  say('closed')
  vim.cmd('qall!')
end

thread = coroutine.create(function()
  local is_fine, problem = xpcall(drive, debug.traceback)
  if not is_fine then fail('%s', problem) end
end)
vim.defer_fn(function() coroutine.resume(thread) end, 0)
