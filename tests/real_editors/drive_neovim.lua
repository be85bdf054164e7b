-- What a person does with the file that is open, one step after the other; each step's outcome goes into a record,
-- which is printed as JSON at the end. A step that never comes true ends Neovim with exit code 1.
local buffer = vim.api.nvim_get_current_buf()
local record = {}

local function finish(code)
  io.stdout:write(vim.fn.json_encode(record) .. "\n")
  vim.cmd("cquit " .. code)
end

local function await(what, condition)
  if not vim.wait(20000, condition, 10) then
    record.stuck = what
    finish(1)
  end
end

local function text()
  return table.concat(vim.api.nvim_buf_get_lines(buffer, 0, -1, false), "\n") .. "\n"
end

local function findings()
  return vim.tbl_map(function(found)
    return {
      code = found.code or found.user_data.lsp.code,
      message = found.message,
      line = found.lnum + 1,
      under = vim.fn.getbufline(buffer, found.lnum + 1)[1]:sub(found.col + 1, found.end_col),
    }
  end, vim.diagnostic.get(buffer))
end

local function floating()
  for _, window in ipairs(vim.api.nvim_list_wins()) do
    if vim.api.nvim_win_get_config(window).relative ~= "" then
      return window
    end
  end
end

await("diagnostics", function()
  return #vim.diagnostic.get(buffer) > 0
end)
record.text = text()
record.findings = findings()
local first = vim.diagnostic.get(buffer)[1]

vim.api.nvim_win_set_cursor(0, { 2, 3 })
vim.lsp.buf.hover()
await("hover", floating)
record.hover = table.concat(vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf(floating()), 0, -1, false), "\n")

vim.api.nvim_win_set_cursor(0, { first.lnum + 1, first.col })
await("hover closed", function()
  vim.cmd("doautocmd CursorMoved")
  return not floating()
end)
vim.ui.select = function(items, options, choose)
  record.offered = vim.tbl_map(options.format_item, items)
  choose(items[1], 1)
end
vim.lsp.buf.code_action()
await("no more diagnostics", function()
  return #vim.diagnostic.get(buffer) == 0
end)
record.mended = text()

vim.cmd("undo")
await("diagnostics after undo", function()
  return #vim.diagnostic.get(buffer) > 0
end)
record.undone = text()
finish(0)
