-- SPDX-License-Identifier: Apache-2.0
-- How the variants of a sketch rank, in a window above the text: Enter takes one over.
local komuz = require('komuz')
local M = {}

-- The window, its buffer, the sketch's buffer, and the ranking that is shown.
local shown
local kRows = 100
-- While the server ranks, `fill` asks again after so many milliseconds, so many times.
local kPause, kTries = 50, 200

local function document(buffer) return { uri = vim.uri_from_bufnr(buffer) } end

local function apply(edit, client) vim.lsp.util.apply_workspace_edit(edit, client.offset_encoding) end

local function cell(text, width)
  local blanks = math.max(0, width - vim.fn.strdisplaywidth(text))
  return text .. string.rep(' ', blanks)
end

-- What has no score says why, in a word: `trapped` and its like.
local function score_text(row)
  if type(row.score) == 'number' then return string.format('%.6g', row.score) end
  return type(row.score) == 'string' and row.score or row.status or ''
end

-- `1251` as `1,251`.
local function grouped(count)
  local digits = tostring(count):reverse():gsub('(%d%d%d)', '%1,'):reverse()
  return (digits:gsub('^,', ''))
end

-- The ranking as lines; the rows begin behind the second one.
local function lines_of(ranking)
  local rows = ranking.rows or {}
  local head = string.format('%s variants, %s evaluated%s', grouped(ranking.variants or '?'), grouped(ranking.evaluated or 0),
    ranking.isSample and ' (a sample)' or '')
  if (ranking.failed or 0) > 0 then head = head .. ', ' .. ranking.failed .. ' trapped' end
  if ranking.state ~= 'done' then head = head .. ' · ' .. (ranking.problem or ranking.state) end
  local cells = { { 'rank', 'variant', ranking.score or 'score', 'program' } }
  for _, row in ipairs(rows) do
    table.insert(cells, { tostring(row.rank), '#' .. row.variant, score_text(row), (row.text:gsub('%s+', ' ')) })
  end
  local widths = { 0, 0, 0, 0 }
  for _, one in ipairs(cells) do
    for column = 1, 3 do widths[column] = math.max(widths[column], vim.fn.strdisplaywidth(one[column])) end
  end
  local lines = { head }
  for _, one in ipairs(cells) do
    table.insert(lines, string.format('%s  %s  %s  %s', cell(one[1], widths[1]), cell(one[2], widths[2]), cell(one[3], widths[3]), one[4]))
  end
  return lines
end

-- How often the ranking was closed: an answer that comes behind that does not open it again.
local closings = 0

local function close()
  if not shown then return end
  closings = closings + 1
  if vim.api.nvim_win_is_valid(shown.window) then vim.api.nvim_win_close(shown.window, true) end
  shown = nil
end

-- Where the cursor is, the variant of that row.
local function chosen()
  local row = vim.api.nvim_win_get_cursor(shown.window)[1] - 2
  return row >= 1 and shown.ranking.rows[row] or nil
end

local function open(buffer, lines)
  local width = 20
  for _, line in ipairs(lines) do width = math.max(width, vim.fn.strdisplaywidth(line)) end
  width = math.min(width, vim.o.columns - 4)
  local height = math.max(1, math.min(#lines, vim.o.lines - 6))
  local text = vim.api.nvim_create_buf(false, true)
  vim.bo[text].bufhidden = 'wipe'
  vim.bo[text].filetype = 'komuz-ranking'
  local window = vim.api.nvim_open_win(text, true, {
    relative = 'editor', style = 'minimal', border = 'rounded', width = width, height = height,
    row = math.max(0, math.floor((vim.o.lines - height) / 2) - 1), col = math.floor((vim.o.columns - width) / 2),
  })
  vim.wo[window].cursorline = true
  vim.wo[window].wrap = false
  shown = { window = window, text = text, buffer = buffer }
  local function key(keys, what, says) vim.keymap.set('n', keys, what, { buffer = text, nowait = true, desc = says }) end
  key('q', close, 'Close the ranking')
  key('<Esc>', close, 'Close the ranking')
  key('r', function() M.show(shown.buffer) end, 'Ask again')
  key('<CR>', function()
    local row, sketch = chosen(), shown.buffer
    if not row then return end
    close()
    M.fill(sketch, row.variant)
  end, 'Fill the sketch with this variant')
end

local function is_open() return shown and vim.api.nvim_win_is_valid(shown.window) end

local function update(ranking)
  shown.ranking = ranking
  vim.bo[shown.text].modifiable = true
  vim.api.nvim_buf_set_lines(shown.text, 0, -1, true, lines_of(ranking))
  vim.bo[shown.text].modifiable = false
end

--- Shows the ranking of a buffer's sketch; what has none says why.
function M.show(buffer)
  local asked_at = closings
  komuz.ask(buffer, 'komuz/ranking', { textDocument = document(buffer), first = 0, count = kRows }, function(ranking)
    if asked_at ~= closings then return end
    if not ranking or ranking.state == 'none' or ranking.state == 'failed' then
      close()
      return vim.notify('No ranking: ' .. (ranking and ranking.problem or 'this is no sketch with cases'), vim.log.levels.WARN)
    end
    if not (is_open() and shown.buffer == buffer) then
      close()
      open(buffer, lines_of(ranking))
    end
    update(ranking)
    if #(ranking.rows or {}) > 0 and vim.api.nvim_win_get_cursor(shown.window)[1] <= 2 then
      vim.api.nvim_win_set_cursor(shown.window, { 3, 0 })
    end
  end)
end

--- The server has ranked on: an open window follows.
function M.changed(changed)
  if is_open() and vim.uri_from_bufnr(shown.buffer) == changed.uri then M.show(shown.buffer) end
end

-- Calls `take` with the best variant's number, once the server has ranked, or has taken longer than anybody waits.
local function with_best(buffer, take, tries)
  komuz.ask(buffer, 'komuz/ranking', { textDocument = document(buffer), first = 0, count = 1 }, function(ranking)
    if ranking and ranking.state == 'running' and tries > 0 then
      return vim.defer_fn(function() with_best(buffer, take, tries - 1) end, kPause)
    end
    local best = ranking and (ranking.rows or {})[1]
    if not best then
      return vim.notify('No ranking: ' .. (ranking and ranking.problem or 'this is no sketch with cases'), vim.log.levels.WARN)
    end
    take(best.variant)
  end)
end

--- Fills the holes of a buffer's sketch. `variant`: its number; empty: the best one
function M.fill(buffer, variant)
  if variant == nil or variant == '' then
    return with_best(buffer, function(best) M.fill(buffer, best) end, kTries)
  end
  local number = variant:gsub('^#', '')
  komuz.ask(buffer, 'komuz/fill', { textDocument = document(buffer), variant = number }, function(filled, client)
    apply(filled.edit, client)
  end)
end

return M
