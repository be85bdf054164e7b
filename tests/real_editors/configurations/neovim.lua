vim.lsp.config("smelt", {
  cmd = { "smelt-lsp", "--stdio" },
  filetypes = { "sql", "yaml" },
  root_markers = { "smelt.yml" },
  workspace_required = true,
})
vim.lsp.enable("smelt")
