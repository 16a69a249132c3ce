-- SPDX-License-Identifier: Apache-2.0
-- The language server in Neovim 0.7 and later. What the editor itself does with a server (errors, hover, completion, rename) is its own.
local M = {}

local options = { cmd = { 'komuz', 'lsp' }, lenses = true, on_attach = nil, capabilities = nil, settings = nil }

--- @param given table|nil `cmd`: the server and its arguments; `lenses`: false shows none; `on_attach`, `capabilities`, `settings`:
--- as for any other server
function M.setup(given) options = vim.tbl_extend('force', options, given or {}) end

-- The project that a file belongs to: the nearest folder above with a repository, else the file's own.
local function root_of(buffer)
  local file = vim.api.nvim_buf_get_name(buffer)
  local folder = file ~= '' and vim.fn.fnamemodify(file, ':p:h') or vim.fn.getcwd()
  -- A worktree has a file there.
  local above = vim.fn.escape(folder, ' ,;') .. ';'
  local found = vim.fn.finddir('.git', above)
  if found ~= '' then return vim.fn.fnamemodify(found, ':p:h:h') end
  found = vim.fn.findfile('.git', above)
  return found ~= '' and vim.fn.fnamemodify(found, ':p:h') or folder
end

-- The server runs tests for those who show how they end.
local function capabilities()
  local can = options.capabilities or vim.lsp.protocol.make_client_capabilities()
  if not options.lenses then return can end
  local lenses = { textDocument = { codeLens = { dynamicRegistration = false } }, workspace = { codeLens = { refreshSupport = true } } }
  return vim.tbl_deep_extend('keep', can, lenses)
end

-- Before 0.8 the editor leaves that to everybody.
local function set_options(buffer)
  for name, value in pairs { omnifunc = 'v:lua.vim.lsp.omnifunc', tagfunc = 'v:lua.vim.lsp.tagfunc' } do
    if vim.bo[buffer][name] == '' then vim.bo[buffer][name] = value end
  end
end

local function attach(client, buffer)
  set_options(buffer)
  require('komuz.completion').attach(buffer)
  if options.lenses then require('komuz.lenses').attach(buffer) end
  if options.on_attach then options.on_attach(client, buffer) end
end

-- What takes a while, and how far it is. The editor keeps it for those who show it elsewhere.
local titles = {}
local function show_progress(problem, progress, context, config)
  local result = vim.lsp.handlers['$/progress'](problem, progress, context, config)
  local token, value = progress.token, progress.value
  titles[token] = value.title or titles[token]
  local percentage = value.percentage and (' ' .. value.percentage .. ' %') or ''
  if value.kind ~= 'end' then
    vim.api.nvim_echo({ { 'komuz: ' .. (titles[token] or '') .. percentage } }, false, {})
  else
    titles[token] = nil
    vim.api.nvim_echo({ { '' } }, false, {})
  end
  return result
end

-- A lens runs its test.
local function run_test(command)
  local uri, name = unpack(command.arguments)
  M.ask(vim.uri_to_bufnr(uri), 'workspace/executeCommand', { command = command.command, arguments = command.arguments }, function(result)
    if result.passed then return vim.notify(name .. ': passed') end
    local words = result.actual and ('expected ' .. result.expected .. ', actual ' .. result.actual) or result.message
    vim.notify(name .. ': ' .. words, vim.log.levels.WARN)
  end)
end

local function configuration(buffer)
  return {
    name = 'komuz',
    cmd = options.cmd,
    root_dir = root_of(buffer),
    on_attach = attach,
    capabilities = capabilities(),
    settings = options.settings,
    init_options = { komuz = { ranking = true } },
    handlers = {
      ['komuz/rankingChanged'] = function(_, changed) require('komuz.ranking').changed(changed) end,
      ['workspace/codeLens/refresh'] = function()
        require('komuz.lenses').refresh_all()
        return vim.NIL
      end,
      ['$/progress'] = show_progress,
    },
    commands = {
      ['komuz.showRanking'] = function(command)
        local uri = (command.arguments or {})[1]
        require('komuz.ranking').show(uri and vim.uri_to_bufnr(uri) or vim.api.nvim_get_current_buf())
      end,
      ['komuz.run'] = run_test,
      -- A lens that only tells something, such as what a function costs.
      [''] = function() end,
    },
  }
end

-- Before 0.8 the editor does not look for a client of the same project by itself.
local clients = {}
local function start_by_hand(buffer, config)
  local id = clients[config.root_dir]
  if not (id and vim.lsp.get_client_by_id(id)) then
    id = vim.lsp.start_client(config)
    clients[config.root_dir] = id
  end
  if id then vim.lsp.buf_attach_client(buffer, id) end
  return id
end

--- Starts the server for a buffer, or attaches the one that the project has already.
--- @return number|nil the client's id; nil: there is no such program, which is said
function M.start(buffer)
  local config = configuration(buffer)
  if vim.fn.executable(config.cmd[1]) == 0 then
    vim.notify_once(config.cmd[1] .. " is not installed, or not in PATH; name it: require('komuz').setup { cmd = { '/path/to/komuz', 'lsp' } }",
      vim.log.levels.WARN)
    return nil
  end
  if vim.lsp.start then return vim.lsp.start(config, { bufnr = buffer }) end
  return start_by_hand(buffer, config)
end

--- The client of a buffer, once it is attached.
function M.client(buffer)
  local all
  if vim.lsp.get_clients then
    all = vim.lsp.get_clients { bufnr = buffer }
  else
    all = vim.tbl_values(vim.lsp.buf_get_clients(buffer))
  end
  for _, client in ipairs(all) do
    if client.name == 'komuz' then return client end
  end
end

--- A request as the editor's own are; `take` gets what a handler gets.
function M.request(client, buffer, method, params, take)
  -- From 0.11 on it is a method.
  if vim.fn.has('nvim-0.11') == 1 then
    client:request(method, params, take, buffer)
  else
    client.request(method, params, take, buffer)
  end
end

--- Asks the server of a buffer; `answer` gets the result. What goes wrong is said.
function M.ask(buffer, method, params, answer)
  local client = M.client(buffer)
  if not client then return vim.notify('komuz lsp does not run for this file', vim.log.levels.WARN) end
  M.request(client, buffer, method, params, function(problem, result)
    if problem then return vim.notify(method .. ': ' .. (problem.message or vim.inspect(problem)), vim.log.levels.ERROR) end
    answer(result, client)
  end)
end

return M
