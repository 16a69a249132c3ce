-- SPDX-License-Identifier: Apache-2.0
-- Starts `komuz lsp` for each file of Komuz, unless `vim.g.komuz_lsp` is false.
if vim.g.loaded_komuz then return end
vim.g.loaded_komuz = true

local group = vim.api.nvim_create_augroup('komuz', {})
vim.api.nvim_create_autocmd('FileType', {
  group = group,
  pattern = 'komuz',
  callback = function(event)
    local buffer = event.buf
    if vim.g.komuz_lsp ~= false then require('komuz').start(buffer) end
    vim.api.nvim_buf_create_user_command(buffer, 'KomuzRanking', function() require('komuz.ranking').show(buffer) end,
      { desc = 'Show how the variants of this sketch rank' })
    vim.api.nvim_buf_create_user_command(buffer, 'KomuzFill', function(command) require('komuz.ranking').fill(buffer, command.args) end,
      { nargs = '?', desc = 'Fill this sketch with a variant, or with the best one' })
  end,
})
