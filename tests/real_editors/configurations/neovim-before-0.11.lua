local servers = {}
vim.api.nvim_create_autocmd("FileType", {
  pattern = { "sql", "yaml" },
  callback = function(args)
    local found = vim.fn.findfile("smelt.yml", vim.fn.fnamemodify(args.file, ":p:h") .. ";")
    if found == "" then
      return
    end
    local root = vim.fn.fnamemodify(found, ":p:h")
    servers[root] = servers[root]
      or vim.lsp.start_client({
        name = "smelt",
        cmd = { "smelt-lsp", "--stdio" },
        root_dir = root,
        on_exit = function()
          servers[root] = nil
        end,
      })
    vim.lsp.buf_attach_client(args.buf, servers[root])
  end,
})
