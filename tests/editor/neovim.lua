-- Drives `tk lsp` in neovim: diagnostics, hover, definition, completion, and a correction. Run by crates/tk-cli/tests/editor.rs, which
-- gives the configuration of docs/editor.md in CONFIGURATION and the file in FILE. Prints what it saw; exit code 1 at the first thing
-- that does not happen.

local PATIENCE = 60000

local function fail(what)
  io.stdout:write('FAILED: ' .. what .. '\n')
  vim.cmd('cquit 1')
end

local function wait(what, condition)
  if not vim.wait(PATIENCE, condition, 20) then
    fail(what)
  end
  io.stdout:write('ok: ' .. what .. '\n')
end

local function clients()
  return (vim.lsp.get_clients or vim.lsp.get_active_clients)()
end

-- Puts the cursor on the text that stands behind `before` in the first line that has it.
local function go_to(before)
  for number, line in ipairs(vim.api.nvim_buf_get_lines(0, 0, -1, false)) do
    local _, last = line:find(before, 1, true)
    if last then
      vim.api.nvim_win_set_cursor(0, { number, last })
      return number
    end
  end
  fail('no line has ' .. before)
end

-- The text of floating windows.
local function floating()
  local text = ''
  for _, window in ipairs(vim.api.nvim_list_wins()) do
    if vim.api.nvim_win_get_config(window).relative ~= '' then
      local lines = vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf(window), 0, -1, false)
      text = text .. table.concat(lines, '\n')
    end
  end
  return text
end

local function hover_has(words)
  local has = false
  wait('hover says ' .. words, function()
    -- What the compiler knows comes later, so it is asked again.
    vim.lsp.buf.hover()
    vim.wait(300, function() return floating():find(words, 1, true) ~= nil end, 20)
    has = floating():find(words, 1, true) ~= nil
    for _, window in ipairs(vim.api.nvim_list_wins()) do
      if vim.api.nvim_win_get_config(window).relative ~= '' then
        vim.api.nvim_win_close(window, true)
      end
    end
    return has
  end)
end

local function main()
  dofile(vim.env.CONFIGURATION)
  vim.cmd('edit ' .. vim.env.FILE)
  wait('the server is attached', function() return #clients() == 1 and clients()[1].server_capabilities ~= nil end)

  wait('a diagnostic appears', function() return #vim.diagnostic.get(0) == 1 end)
  local found = vim.diagnostic.get(0)[1]
  if not found.message:find('`tl.lode` does not exist', 1, true) then
    fail('the diagnostic says ' .. found.message)
  end
  local line = go_to('tl.lod')
  if found.lnum ~= line - 1 then
    fail('the diagnostic is in line ' .. (found.lnum + 1))
  end

  -- The line is corrected in the editor, which sends the change alone.
  local text = vim.api.nvim_buf_get_lines(0, line - 1, line, false)[1]
  vim.api.nvim_buf_set_lines(0, line - 1, line, false, { (text:gsub('tl%.lode', 'tl.load')) })
  wait('the diagnostic goes', function() return #vim.diagnostic.get(0) == 0 end)

  go_to('    off')
  hover_has('i32[1024]')
  hover_has('#ttg.blocked')
  go_to('= tl.lo')
  hover_has('Reads memory')
  hover_has('128 bits')

  go_to('x_ptr + off')
  vim.lsp.buf.definition()
  local defined = go_to('    offsets =')
  go_to('x_ptr + off')
  wait('the definition is found', function() return vim.api.nvim_win_get_cursor(0)[1] == defined end)

  -- Completion in a line that is not finished.
  local last = vim.api.nvim_buf_line_count(0)
  for number, content in ipairs(vim.api.nvim_buf_get_lines(0, 0, -1, false)) do
    if content:find('tl.store', 1, true) then
      last = number
    end
  end
  vim.api.nvim_buf_set_lines(0, last, last, false, { '    total = tl.' })
  vim.api.nvim_win_set_cursor(0, { last + 1, 14 })
  local parameters = vim.lsp.util.make_position_params(0, 'utf-16')
  parameters.position.character = #'    total = tl.'
  local answers = vim.lsp.buf_request_sync(0, 'textDocument/completion', parameters, PATIENCE) or {}
  local documented = false
  for _, answer in pairs(answers) do
    for _, item in ipairs(answer.result or {}) do
      documented = documented or (item.label == 'sum' and item.documentation.value:find('sum', 1, true) ~= nil)
    end
  end
  wait('completion knows tl.sum with its documentation', function() return documented end)
  io.stdout:write('done\n')
  vim.cmd('qall!')
end

local worked, problem = xpcall(main, debug.traceback)
if not worked then
  fail(problem)
end
