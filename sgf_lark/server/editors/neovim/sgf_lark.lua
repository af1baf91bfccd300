-- Game records and grammars in Neovim 0.7 and later: put this file into ~/.config/nvim/plugin/.
local command = { "sgf-lark", "server" }

local patterns = { sgf = { "*.sgf", "*.sgfs", "*.tsgf", "*.ggf", "*.mgt", "*.SGF" }, lark = { "*.lark" } }
for filetype, pattern in pairs(patterns) do
  local set = { pattern = pattern, command = "setfiletype " .. filetype }
  vim.api.nvim_create_autocmd({ "BufRead", "BufNewFile" }, set)
end

local keys = {
  K = vim.lsp.buf.hover,
  gd = vim.lsp.buf.definition,
  gO = vim.lsp.buf.document_symbol,
  gra = vim.lsp.buf.code_action,
  grn = vim.lsp.buf.rename,
  grf = vim.lsp.buf.format or vim.lsp.buf.formatting, -- formatting: before 0.8
}

local client -- of Neovim 0.7, which starts none by itself

vim.api.nvim_create_autocmd("FileType", {
  pattern = { "sgf", "lark" },
  callback = function(event)
    local config = { name = "sgf-lark", cmd = command, root_dir = vim.fn.getcwd() }
    if vim.lsp.start then
      vim.lsp.start(config)
    else
      client = client or vim.lsp.start_client(config)
      vim.lsp.buf_attach_client(event.buf, client)
    end
    vim.bo[event.buf].omnifunc = "v:lua.vim.lsp.omnifunc"
    for key, act in pairs(keys) do
      vim.keymap.set("n", key, act, { buffer = event.buf })
    end
    if vim.lsp.inlay_hint then -- since 0.10
      vim.lsp.inlay_hint.enable(true, { bufnr = event.buf })
    end
  end,
})
