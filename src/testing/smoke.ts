import { Database } from 'bun:sqlite'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findEngine } from '../../litestream.ts'
import { ask, requireExecutable, runCommand, sessionAfter, startProcess } from './executable.ts'

/**
 * Tests the built executable as a stranger uses it: in an empty directory, with nothing installed. Prints each check;
 * exits with 1 if one fails.
 */
requireExecutable()
const cwd = mkdtempSync(join(tmpdir(), 'brokerbase-smoke-'))
let passed = 0
const failures: string[] = []

function check(what: string, ok: boolean, seen?: unknown): void {
  if (ok) passed += 1
  else failures.push(what)
  process.stdout.write(
    `${ok ? 'ok  ' : 'FAIL'} ${what}${ok || seen === undefined ? '' : `: ${JSON.stringify(seen).slice(0, 400)}`}\n`,
  )
}

async function commands(): Promise<void> {
  const version = await runCommand(['--version'], { cwd })
  check('--version', version.code === 0 && /^brokerbase \d+\.\d+\.\d+ \(/.test(version.stdout), version)
  for (const command of [
    [],
    ['serve'],
    ['setup'],
    ['demo'],
    ['api-key', 'create'],
    ['openapi'],
    ['migrate'],
    ['health'],
    ['recovery-key'],
    ['licenses'],
  ]) {
    const help = await runCommand([...command, '--help'], { cwd })
    check(`${command.join(' ')} --help`, help.code === 0 && help.stdout.includes('Usage: brokerbase'), help)
  }
  const unknown = await runCommand(['fly'], { cwd })
  check('an unknown command exits 2', unknown.code === 2, unknown)
  const badConfig = await runCommand(['serve'], { cwd, env: { BROKERBASE_PORT: 'eighty' } })
  check(
    'a bad setting exits 2 and names the variable',
    badConfig.code === 2 && badConfig.stderr.includes('BROKERBASE_PORT'),
    badConfig,
  )
  const document = await runCommand(['openapi'], { cwd })
  check(
    'openapi prints the document',
    document.code === 0 && document.stdout.startsWith('{\n  "openapi"'),
    document.stderr,
  )
  const terms = await runCommand(['licenses'], { cwd })
  const engine = findEngine() === null ? [] : ['Litestream', 'SQLite of Litestream']
  const unnamed = ['elysia', 'react', 'Bun', 'SQLite of Bun', ...engine].filter(
    (name) => !new RegExp(`^${name} \\d+\\.\\d+\\.\\d+: \\S`, 'm').test(terms.stdout),
  )
  check('licenses names what others made', terms.code === 0 && unnamed.length === 0, { unnamed, ...terms })
  check('and has their terms', /Permission is hereby granted/.test(terms.stdout) && terms.stdout.length > 100_000)
  writeFileSync(join(cwd, '.env'), 'BROKERBASE_PORT=eighty\n')
  check('a .env in the working directory is not read', (await runCommand(['openapi'], { cwd })).code === 0)
}

async function firstRun(): Promise<void> {
  const server = await startProcess(['serve'], { cwd })
  const open = await ask(server.url, 'GET', '/v1/setup')
  check('an empty directory: set-up is open', open.json.open === true, open)
  const owner = {
    tenantName: 'Smoke Brokers',
    email: 'owner@smoke.test',
    displayName: 'Owner',
    password: 'correct horse battery',
  }
  const wrong = await ask(server.url, 'POST', '/v1/setup', { body: { ...owner, token: 'guess' } })
  check('a wrong token is refused', wrong.status === 403, wrong)
  const weak = { ...owner, password: 'Password2024!', token: await server.setupToken }
  const common = await ask(server.url, 'POST', '/v1/setup', { body: weak })
  check('the packed list of common passwords is read', common.status === 422, common)
  const made = await ask(server.url, 'POST', '/v1/setup', { body: { ...owner, token: await server.setupToken } })
  check('the printed token founds the firm', made.status === 201, made)
  const again = await ask(server.url, 'POST', '/v1/setup', { body: { ...owner, token: await server.setupToken } })
  check('set-up is closed for ever after', again.status === 409, again)
  const login = await ask(server.url, 'POST', '/v1/auth/login', {
    body: { email: owner.email, password: owner.password },
  })
  const cookie = login.headers.get('set-cookie') ?? ''
  check(
    'sign-in sets the session cookie',
    /^crm_session=[^;]+; HttpOnly; Secure; Path=\/; SameSite=Lax/.test(cookie),
    cookie,
  )
  const headers = { cookie: cookie.split(';')[0] ?? '', origin: server.url }
  const client = { email: 'client@smoke.test', country: 'CY', phone: '22 123456' }
  const trader = await ask(server.url, 'POST', '/v1/traders', { headers, body: client })
  check('a trader is created', trader.status === 201, trader)
  check('the packed table of phone numbers is read', trader.json.phone === '+35722123456', trader)
  const second = await runCommand(['serve', '--port', '0'], { cwd })
  check(
    'a second server on the directory is refused in words',
    second.code === 1 && second.stderr.includes('Another Brokerbase'),
    second,
  )
  const port = new URL(server.url).port
  const taken = await runCommand(['serve', '--port', port, '--data-dir', join(cwd, 'other')], { cwd })
  check('a taken port is said in words', taken.code === 1 && taken.stderr.includes('port is taken'), taken)
  const key = await runCommand(
    ['api-key', 'create', '--tenant', 'smoke-brokers', '--label', 'smoke', '--scopes', 'traders:read'],
    { cwd },
  )
  check('api-key create works beside the server', key.code === 0 && key.stdout.startsWith('crm_live_'), key)
  const byKey = await ask(server.url, 'GET', `/v1/traders/${trader.json.id}`, {
    headers: { 'x-api-key': key.stdout.trim() },
  })
  check('the key reads the trader', byKey.status === 200, byKey)
  const write = await ask(server.url, 'POST', '/v1/traders', {
    headers: { 'x-api-key': key.stdout.trim() },
    body: { email: 'no@smoke.test' },
  })
  check('a read key writes nothing', write.status === 403, write)
  await surfaces(server.url)
  await server.kill('SIGKILL')
  const after = await startProcess(['serve'], { cwd })
  const kept = await ask(after.url, 'GET', `/v1/traders/${trader.json.id}`, { headers })
  check('after kill -9 the trader is there and the session holds', kept.status === 200, kept)
  const verify = await ask(after.url, 'GET', '/v1/audit/verify', { headers })
  check('the audit chain is whole, the command’s entries included', verify.json.intact === true, verify)
  const afterPort = new URL(after.url).port
  const ready = await runCommand(['health', '--port', afterPort], { cwd })
  check('health says that it is ready', ready.code === 0 && ready.stdout === 'ready\n', ready)
  const here = { ...headers, origin: after.url }
  const password = { password: owner.password }
  const asked = await ask(after.url, 'POST', '/v1/auth/reauthenticate', { headers: here, body: password })
  // giving the password has renewed the session
  headers.cookie = sessionAfter(asked)
  const shown = await ask(after.url, 'POST', '/v1/system/recovery-key/words', {
    headers: { ...here, cookie: headers.cookie },
  })
  const words = Array.isArray(shown.json.words) ? shown.json.words.map(String) : []
  check('the key is shown as 24 words', asked.status === 200 && words.length === 24, shown.status)
  const answers = [owner.email, owner.password, '', '', 'On paper, in the safe.']
  const kept24 = await runCommand(['recovery-key'], { cwd, stdin: `${answers.join('\n')}\n` })
  check(
    'recovery-key shows the same words, and notes where they are',
    kept24.code === 0 && words.every((word) => kept24.stdout.includes(`. ${word} `)),
    kept24.stderr,
  )
  const stream = await fetch(`${after.url}/v1/stream`, { headers })
  const listening = stream.body?.getReader()
  await listening?.read()
  const stopping = performance.now()
  const code = await after.kill('SIGTERM')
  check('SIGTERM exits 0 within 10 s', code === 0 && performance.now() - stopping < 10_000, code)
  // the server would wait 8 s for a request that hangs
  check('an open console does not hold it up', performance.now() - stopping < 7000, performance.now() - stopping)
  const gone = await runCommand(['health', '--port', afterPort], { cwd })
  check('health says that nobody answers', gone.code === 1 && gone.stderr.includes('Nobody answers'), gone)
  await listening?.cancel()
}

async function surfaces(url: string): Promise<void> {
  const page = await ask(url, 'GET', '/admin/traders')
  check(
    'the console answers deep links',
    page.status === 200 && page.text.includes('<div id="root"'),
    page.text.slice(0, 200),
  )
  check(
    'the console has a strict CSP',
    /script-src 'self'/.test(page.headers.get('content-security-policy') ?? ''),
    page.headers.get('content-security-policy'),
  )
  const asset = /\/admin\/assets\/[\w.-]+\.js/.exec(page.text)?.[0] ?? '/admin/assets/none.js'
  const script = await fetch(url + asset, { headers: { 'accept-encoding': 'br' } })
  check(
    'its script is immutable',
    script.status === 200 && (script.headers.get('cache-control') ?? '').includes('immutable'),
    asset,
  )
  const docs = await ask(url, 'GET', '/docs')
  check(
    'the explorer loads from here alone',
    docs.status === 200 && !/https?:\/\//.test(docs.text.replaceAll('http://www.w3.org', '')),
    docs.text.slice(0, 300),
  )
  const guide = await ask(url, 'GET', '/docs/guide/webhooks')
  check(
    'the pages beside it are there, with their snippets',
    guide.status === 200 &&
      ['createHmac(', 'hmac.compare_digest(', 'hmac.Equal('].every((one) => guide.text.includes(one)),
    guide.text.slice(0, 300),
  )
  check('the document is served', (await ask(url, 'GET', '/docs/json')).json.openapi === '3.1.0')
  check('nobody gets nothing', (await ask(url, 'GET', '/v1/traders')).status === 401)
  const host = await ask(url, 'GET', '/v1/setup', { headers: { host: 'x' } })
  check('a foreign Host is refused', host.status === 421, host)
  check('/ leads to the console', (await fetch(url, { redirect: 'manual' })).headers.get('location') === '/admin')
}

async function childLimits(): Promise<void> {
  for (const take of ['native', 'objects']) {
    const order = JSON.stringify({ cpuSeconds: 20, bytes: 512 * 1024 * 1024, input: { take } })
    const { code, stderr } = await runCommand(['run-task', 'limits.probe'], { cwd, stdin: order })
    check(
      `a child cannot take more memory than its share (${take})`,
      code !== 0 && /memory|panic/i.test(stderr),
      stderr,
    )
  }
}

async function otherStarts(): Promise<void> {
  const headless = join(cwd, 'headless')
  const made = await runCommand(
    ['setup', '--tenant', 'Headless', '--email', 'h@smoke.test', '--password-stdin', '--data-dir', headless],
    { cwd, stdin: 'a long password\n' },
  )
  check('setup founds a firm without a browser', made.code === 0 && made.stdout.includes('headless'), made)
  check('the key file is the owner’s alone', (statSync(join(headless, 'secret.key')).mode & 0o777) === 0o600)
  const migrated = await runCommand(['migrate', '--data-dir', headless], { cwd })
  check(
    'migrate says where the schema stands',
    migrated.code === 0 && migrated.stdout.includes('0000_baseline'),
    migrated,
  )
  const db = new Database(join(headless, 'brokerbase.db'))
  db.run("INSERT INTO schema_migrations VALUES (999, '0999_future', 'x', 0)")
  db.close()
  const newer = await runCommand(['serve', '--port', '0', '--data-dir', headless], { cwd })
  check('a newer database is refused in words', newer.code === 1 && newer.stderr.includes('newer Brokerbase'), newer)
  const locked = join(cwd, 'locked')
  mkdirSync(locked)
  chmodSync(locked, 0o500)
  if (process.getuid?.() !== 0) {
    const refused = await runCommand(['serve', '--port', '0', '--data-dir', join(locked, 'data')], { cwd })
    check(
      'a directory that cannot be written is said in words',
      refused.code === 1 && refused.stderr.includes(`${locked} may not be written by this user`),
      refused,
    )
  }
}

try {
  await commands()
  await firstRun()
  await otherStarts()
  await childLimits()
} finally {
  rmSync(cwd, { recursive: true, force: true })
}
process.stdout.write(`${passed} passed, ${failures.length} failed\n`)
process.exit(failures.length === 0 ? 0 : 1)
