-- Drives Neovim 0.7 and later: what is asked is in one JSON file, what was seen goes into another.
local asked = vim.fn.json_decode(vim.fn.readfile(vim.env.SGF_LARK_ASKED))
local seen = { findings = {} }

local function finish()
  vim.fn.writefile({ vim.fn.json_encode(seen) }, vim.env.SGF_LARK_SEEN)
  vim.cmd("qall!")
end

local function wait(what, condition)
  if not vim.wait(asked.milliseconds, condition, 20) then
    error("waited in vain for " .. what)
  end
end

local function text()
  return table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, true), "\n")
end

-- Puts the cursor on the first place of a text, further by some bytes.
local function go(place)
  vim.fn.cursor(1, 1)
  assert(vim.fn.search("\\V" .. vim.fn.escape(place[1], "\\"), "cW") > 0, place[1])
  vim.fn.cursor(vim.fn.line("."), vim.fn.col(".") + place[2])
end

local function edit(file)
  vim.cmd("edit! " .. vim.fn.fnameescape(file.path))
  wait(#vim.diagnostic.get(0) .. " findings of " .. file.path .. " to be " .. file.count, function()
    return #vim.diagnostic.get(0) == file.count
  end)
end

local function run()
  for _, file in ipairs(asked.files) do
    edit(file)
    local found = {}
    for _, one in ipairs(vim.diagnostic.get(0)) do
      local code = one.code or one.user_data.lsp.code -- 0.7 keeps it there
      table.insert(found, { code, one.lnum, one.col, one.end_lnum, one.end_col, one.message })
    end
    seen.findings[file.path] = found
  end

  edit(asked.fix.file)
  go(asked.fix.place)
  vim.ui.select = function(actions, _, choose)
    seen.actions = {}
    for _, action in ipairs(actions) do
      local title = (action.action or action[2]).title
      table.insert(seen.actions, title)
      if title == asked.fix.title then
        choose(action)
      end
    end
  end
  local before = text()
  vim.lsp.buf.code_action()
  wait("the fix", function()
    return text() ~= before
  end)
  seen.fixed = text()

  edit(asked.format)
  if vim.lsp.buf.format then
    vim.lsp.buf.format({ async = false })
  else
    vim.lsp.buf.formatting_sync()
  end
  seen.formatted = text()

  edit(asked.hover.file)
  go(asked.hover.place)
  vim.lsp.buf.hover()
  wait("the hover", function()
    for _, window in ipairs(vim.api.nvim_list_wins()) do
      if vim.api.nvim_win_get_config(window).relative ~= "" then
        local buffer = vim.api.nvim_win_get_buf(window)
        seen.hover = table.concat(vim.api.nvim_buf_get_lines(buffer, 0, -1, true), "\n")
        vim.api.nvim_win_close(window, true)
        return true
      end
    end
  end)

  edit(asked.definition.file)
  go(asked.definition.place)
  vim.lsp.buf.definition()
  wait("the definition", function()
    return vim.fn.expand("%:e") == "lark"
  end)
  seen.definition = { vim.fn.expand("%:t"), vim.fn.getline(".") }
end

local ok, problem = xpcall(run, debug.traceback)
if not ok then
  seen.problem = problem
end
finish()
