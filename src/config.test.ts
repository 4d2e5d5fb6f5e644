import { afterAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ConfigError, childEnvironment, loadConfig, toVariableName } from './config.ts'
import { SETTINGS } from './settings-list.ts'

const directory = mkdtempSync(join(tmpdir(), 'brokerbase-config-'))
afterAll(() => rmSync(directory, { recursive: true, force: true }))

const from = (env: Record<string, string>, flags: Record<string, string> = {}) => loadConfig(flags, { env })

test('without any setting the program listens on this machine only', () => {
  const config = from({})
  expect(config).toMatchObject({
    dataDir: './data',
    port: 3000,
    host: '127.0.0.1',
    publicUrl: 'http://localhost:3000',
    rateLimits: { short: 20, medium: 300, long: 5000 },
    sessionHours: 12,
    smtp: null,
    secretKey: undefined,
    allowedNetworks: [],
    allowedOrigins: [],
    trustedProxies: [],
    graph: { url: 'https://graph.facebook.com', version: 'v24.0' },
    logLevel: 'info',
  })
})

test('a flag wins over a variable, and a variable over a default', () => {
  expect(from({ BROKERBASE_PORT: '4000' }).port).toBe(4000)
  expect(from({ BROKERBASE_PORT: '4000' }, { port: '5000' }).port).toBe(5000)
  expect(loadConfig({}, { env: {}, defaults: { 'data-dir': './demo-data' } }).dataDir).toBe('./demo-data')
  expect(loadConfig({}, { env: { BROKERBASE_DATA_DIR: '/x' }, defaults: { 'data-dir': './demo-data' } }).dataDir).toBe(
    '/x',
  )
})

test('list settings are split at commas without empty items, and addresses lose their last slash', () => {
  const config = from({
    BROKERBASE_ALLOWED_HOSTS: ' a.test, ,b.test,',
    BROKERBASE_ALLOWED_NETWORKS: '10.0.0.0/8, fd00::/8',
    BROKERBASE_PUBLIC_URL: 'https://office.example.com/',
  })
  expect(config.allowedHosts).toEqual(['a.test', 'b.test'])
  expect(config.allowedNetworks).toEqual(['10.0.0.0/8', 'fd00::/8'])
  expect(config.publicUrl).toBe('https://office.example.com')
})

test('the mail settings need a host; the others have defaults', () => {
  expect(from({ BROKERBASE_SMTP_HOST: 'mail.test' }).smtp).toEqual({
    host: 'mail.test',
    port: 587,
    secure: false,
    from: 'Brokerbase <no-reply@localhost>',
    name: 'localhost',
  })
  const full = { HOST: 'mail.test', PORT: '465', USER: 'u', PASSWORD: 'p', SECURE: 'true', FROM: 'A <a@b.test>' }
  const env = Object.fromEntries(Object.entries(full).map(([name, value]) => [`BROKERBASE_SMTP_${name}`, value]))
  expect(from(env).smtp).toEqual({
    host: 'mail.test',
    port: 465,
    user: 'u',
    password: 'p',
    secure: true,
    from: 'A <a@b.test>',
    name: 'localhost',
  })
})

test.each(['desk', 'Broker', 'Broker <desk>', 'desk@', 'a@b.test, c@d.test', 'Broker <a@b.test> x', '<>'])(
  'the sender %j stops the start',
  (sender) => {
    const env = { BROKERBASE_SMTP_HOST: 'mail.test', BROKERBASE_SMTP_FROM: sender }
    expect(() => from(env)).toThrow('BROKERBASE_SMTP_FROM')
  },
)

describe('a secret setting', () => {
  test('a secret setting is read from the file that _FILE names, without its last line break', () => {
    const path = join(directory, 'key')
    writeFileSync(path, `${'a'.repeat(43)}=\n`)
    expect(from({ BROKERBASE_SECRET_KEY_FILE: path }).secretKey).toBe(`${'a'.repeat(43)}=`)
    expect(from({ BROKERBASE_SECRET_KEY_FILE: path, BROKERBASE_SECRET_KEY: 'other' }).secretKey).toBe(
      `${'a'.repeat(43)}=`,
    )
  })

  test('a missing secret file stops the start with the variable’s name, and _FILE is for secrets only', () => {
    expect(() => from({ BROKERBASE_SECRET_KEY_FILE: join(directory, 'nothing') })).toThrow(/BROKERBASE_SECRET_KEY_FILE/)
    expect(from({ BROKERBASE_PORT_FILE: join(directory, 'nothing') }).port).toBe(3000)
  })
})

describe('an unusable setting', () => {
  test.each([
    ['port', ['x', '-1', '65536', '3000.5', '0x10', '', ' 80']],
    ['rate-short', ['-1', 'many', '1e3']],
    ['rate-medium', ['-1']],
    ['rate-long', ['-1']],
    ['session-hours', ['0', '721', 'x']],
    ['public-url', ['office', '//x']],
    ['log-level', ['loud', 'INFO']],
    ['smtp-secure', ['yes', '1']],
    ['trusted-proxies', ['10.0.0.1', '10.0.0.0/33', '300.0.0.0/8', 'everywhere', '10.0.0.0/8,x', '::/129']],
    ['allowed-networks', ['localhost', '10.0.0.0', '1.2.3/24x', '10.0.0.0/99']],
  ] as const)('the setting %s stops the start by its name for each of %j', (name, values) => {
    for (const value of values) {
      const variable = toVariableName(name)
      const run = () => from({ [variable]: value, BROKERBASE_SMTP_HOST: 'mail.test' })
      expect([value, run]).toEqual([value, expect.any(Function)])
      expect(run).toThrow(ConfigError)
      expect(run).toThrow(variable)
      const isFlag = ['data-dir', 'port', 'host', 'litestream'].some((flag) => flag === name)
      if (isFlag) expect(run).toThrow(`--${name}`)
      else expect(run).not.toThrow(`--${name}`)
    }
  })

  test('an unusable port of the mail server matters only if there is a mail server', () => {
    expect(() => from({ BROKERBASE_SMTP_PORT: '0', BROKERBASE_SMTP_HOST: 'mail.test' })).toThrow('BROKERBASE_SMTP_PORT')
    expect(from({ BROKERBASE_SMTP_PORT: '0' }).smtp).toBeNull()
  })
})

test('every setting has a text of help and its own variable, and a secret is no flag', () => {
  const variables = SETTINGS.map(({ name }) => toVariableName(name))
  expect(new Set(variables).size).toBe(SETTINGS.length)
  for (const setting of SETTINGS) {
    expect(setting.help.length).toBeGreaterThan(5)
    if ('secret' in setting) expect('flag' in setting).toBe(false)
  }
})

test('a child of the program gets none of our variables', () => {
  const env = { PATH: '/bin', HOME: '/root', BROKERBASE_SECRET_KEY: 'secret', AWS_SECRET: 'x', LD_PRELOAD: 'x' }
  expect(childEnvironment(env)).toEqual({ PATH: '/bin', HOME: '/root', TMPDIR: '/tmp' })
})

test('the ad platform’s address loses its last slash; a wrong address or version stops the start', () => {
  const graph = (url: string, version = 'v24.0') =>
    from({ BROKERBASE_GRAPH_URL: url, BROKERBASE_GRAPH_VERSION: version }).graph
  expect(graph('https://graph.example.com/api/', 'v9.1')).toEqual({
    url: 'https://graph.example.com/api',
    version: 'v9.1',
  })
  for (const url of ['graph.example.com', 'ftp://x.test', 'https://user:pw@x.test', 'https://x.test?token=1', ''])
    expect(() => graph(url)).toThrow('BROKERBASE_GRAPH_URL')
  for (const version of ['24', 'v24', 'v24.0/me', '../v1.0'])
    expect(() => graph('https://x.test', version)).toThrow('BROKERBASE_GRAPH_VERSION')
})

test('a stream of events has an address, and credentials or a user with a password beside it', () => {
  const url = { BROKERBASE_EVENTS_URL: 'nats://n1,n2/EVENTS' }
  expect(from({}).events).toBeNull()
  expect(from(url).events).toMatchObject({ place: { stream: 'EVENTS' }, keys: null })
  const named = { ...url, BROKERBASE_EVENTS_USER: 'box', BROKERBASE_EVENTS_PASSWORD: 'secret' }
  expect(from(named).events?.keys).toEqual({ user: 'box', password: 'secret' })
  const creds = join(directory, 'box.creds')
  writeFileSync(creds, '-----BEGIN NATS USER JWT-----\nx\n')
  const filed = { ...url, BROKERBASE_EVENTS_CREDS_FILE: creds }
  expect(from(filed).events?.keys).toEqual({ creds: '-----BEGIN NATS USER JWT-----\nx' })
  expect(() => from({ BROKERBASE_EVENTS_URL: 'kafka://n1/EVENTS' })).toThrow('BROKERBASE_EVENTS_URL')
  expect(() => from({ ...url, BROKERBASE_EVENTS_CREDS: 'hello' })).toThrow('BROKERBASE_EVENTS_CREDS')
  expect(() => from({ ...filed, BROKERBASE_EVENTS_USER: 'box' })).toThrow('BROKERBASE_EVENTS_USER')
  expect(() => from({ ...url, BROKERBASE_EVENTS_USER: 'box' })).toThrow('BROKERBASE_EVENTS_PASSWORD')
})
