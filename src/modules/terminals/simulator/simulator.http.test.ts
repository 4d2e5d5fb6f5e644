import { afterEach, describe, expect, test } from 'bun:test'
import { connect, type TLSSocket } from 'node:tls'
import { until } from '../../../testing/until.ts'
import { ACTS } from './simulator.acts.ts'
import { openControl } from './simulator.control.ts'
import { MANAGER_LOGIN, MANAGER_PASSWORD } from './simulator.defaults.ts'
import type { Effect } from './simulator.faults.ts'
import { makeIdentity, type TerminalServer } from './simulator.server.ts'
import { answerChallenge, hashPassword } from './simulator.session.ts'
import { createSimulator, type Simulator } from './simulator.ts'

const START = Date.UTC(2026, 10, 23, 8)
const PASSWORDS = { main: 'Main-pass1', investor: 'Invest-pass1' }
const LAST_CHUNK = '\r\n0\r\n\r\n'

type Answer = { status: number; text: string; isWhole: boolean }
type Client = {
  ask(path: string, body?: unknown): Promise<Answer>
  send(text: string): Promise<Answer>
  socket: TLSSocket
}

function readAnswer(text: string): Answer | null {
  const end = text.indexOf('\r\n\r\n')
  if (end === -1) return null
  const head = text.slice(0, end)
  const body = text.slice(end + 4)
  const status = Number(head.slice(9, 12))
  const length = /content-length: (\d+)/i.exec(head)?.[1]
  if (length !== undefined) return body.length >= Number(length) ? { status, text: body, isWhole: true } : null
  if (!body.endsWith(LAST_CHUNK)) return null
  return { status, text: body.replace(/^[0-9a-f]+\r\n|\r\n[0-9a-f]+\r\n(\r\n)?/g, ''), isWhole: true }
}

/** Opens a connection that speaks HTTP by hand. */
async function dial(port: number): Promise<Client> {
  const opened = Promise.withResolvers<void>()
  const socket = connect({ host: '127.0.0.1', port, servername: 'localhost', rejectUnauthorized: false })
  socket.once('secureConnect', () => opened.resolve())
  let [text, isEnded] = ['', false]
  socket.on('data', (bytes: Buffer) => {
    text += bytes.toString('utf8')
  })
  socket.on('error', () => undefined)
  socket.on('close', () => {
    isEnded = true
    opened.resolve()
  })
  await opened.promise
  const send = async (request: string): Promise<Answer> => {
    text = ''
    if (!isEnded) socket.write(request)
    await until('an answer or an end', () => isEnded || readAnswer(text) !== null)
    return readAnswer(text) ?? { status: 0, text, isWhole: false }
  }
  const ask = (path: string, body?: unknown): Promise<Answer> => {
    const json = body === undefined ? '' : JSON.stringify(body)
    const head = `${body === undefined ? 'GET' : 'POST'} ${path} HTTP/1.1\r\nHost: localhost\r\n`
    return send(`${head}Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(json)}\r\n\r\n${json}`)
  }
  return { ask, send, socket }
}

const START_PATH = `/api/auth/start?version=4885&agent=test&login=${MANAGER_LOGIN}&type=manager`

async function signIn(client: Client, password = MANAGER_PASSWORD): Promise<Answer> {
  const { srv_rand: challenge } = JSON.parse((await client.ask(START_PATH)).text)
  const answer = answerChallenge(hashPassword(password), challenge)
  return client.ask(`/api/auth/answer?srv_rand_answer=${answer}&cli_rand=${'ab'.repeat(16)}`)
}

type Running = {
  simulator: Simulator
  server: TerminalServer
  login: number
  client: Client
  move: (ms: number) => void
}

const running: Running[] = []
afterEach(async () => {
  for (const { server, client } of running.splice(0)) {
    client.socket.destroy()
    await server.stop()
  }
})

/** Starts a server with one login that has 1,000.00, and signs in. */
async function start(): Promise<Running> {
  let now = START
  const simulator = createSimulator({ time: { now: () => now, sleep: () => Promise.resolve() }, seed: 7 })
  const given = { group: 'real\\hedging-usd', name: 'Ada Abel', leverage: 100, ...PASSWORDS }
  const { login } = ACTS.addAccount(simulator.engine, given)
  ACTS.manualDeposit(simulator.engine, { login, amount: '1000' })
  const server = await simulator.listen({ port: 0 })
  const client = await dial(server.port)
  expect((await signIn(client)).text).toContain('"retcode":"0 Done"')
  simulator.journal.clear()
  const move = (ms: number): void => {
    now += ms
  }
  running.push({ simulator, server, login, client, move })
  return { simulator, server, login, client, move }
}

const order = (login: number, change: Record<string, string> = {}) => ({
  login: String(login),
  type: '2',
  balance: '-125.50',
  comment: 'BB-7Q4X8R3T6W5Y',
  check_margin: '1',
  ...change,
})

const countBooked = ({ engine }: Simulator): number =>
  [...engine.state.deals.values()].filter(({ comment }) => comment.startsWith('BB-7Q4X8R3T6W5Y')).length

describe('a session', () => {
  test('answers of challenges are those of the vendor’s example, and of a password beyond ASCII', () => {
    const hash = hashPassword('Password1')
    expect(answerChallenge(hash, '73007dc7184747ce0f7c98516ef1c851')).toBe('77fe51827f7fa69dd80fbec9aa33f1bb')
    expect(answerChallenge(hash, '4db98fec17aab4dc5a240bdc659e8395')).toBe('1732021b1b332f51660b2b315eed3a35')
    const other = hashPassword('Pä55-wörd€')
    expect(answerChallenge(other, '00112233445566778899aabbccddeeff')).toBe('74cfa85c037fde831c29bf63b02203ab')
    expect(answerChallenge(other, 'ffeeddccbbaa99887766554433221100')).toBe('3b76e0be7a4bf305808c301c79f67b05')
  })

  test('a wrong password, a wrong type, an old version and a refused manager have their codes', async () => {
    const { server, simulator, client } = await start()
    const other = await dial(server.port)
    expect((await signIn(other, 'Password1')).text).toContain('"retcode":"1001')
    expect((await other.ask('/api/test/access')).status).toBe(403)
    expect((await other.ask(START_PATH.replace('manager', 'client'))).text).toContain('"1000')
    expect((await other.ask(START_PATH.replace('4885', '400'))).text).toContain('"1010')
    const manager = simulator.engine.state.managers.get(MANAGER_LOGIN)
    if (manager) manager.refusal = 1012
    expect((await signIn(other)).text).toContain('"1012')
    expect((await client.ask('/api/test/access')).text).toBe('{"retcode":"0 Done"}')
    other.socket.destroy()
  })

  test('it is bound to its connection, ends with silence, and begins within ten seconds', async () => {
    const { server, client, move, simulator } = await start()
    const other = await dial(server.port)
    expect((await other.ask('/api/user/total')).status).toBe(403)
    await other.ask(START_PATH)
    move(11_000)
    expect((await other.ask('/api/auth/answer?srv_rand_answer=00&cli_rand=00')).status).toBe(403)
    expect((await client.ask('/api/nothing')).status).toBe(404)
    move(181_000)
    expect((await client.ask('/api/test/access')).isWhole).toBe(false)
    other.socket.destroy()
    const text = JSON.stringify(simulator.journal.entries())
    expect(text).toContain('/api/auth/answer')
    expect(text).not.toContain('"00"')
  })

  test('a second request before the answer to the first ends the connection, and is noted', async () => {
    const { client, simulator } = await start()
    const one = 'GET /api/test/access HTTP/1.1\r\nHost: localhost\r\n\r\n'
    expect((await client.send(one + one)).isWhole).toBe(false)
    expect(simulator.journal.entries().map(({ fault }) => fault)).toEqual(['pipelined'])
  })
})

describe('money', () => {
  test('it is booked once, with the ticket of its deal and a comment that is cut', async () => {
    const { client, login, simulator } = await start()
    const { text } = await client.ask(
      '/api/trade/balance',
      order(login, { comment: 'BB-7Q4X8R3T6W5Y'.padEnd(40, '.') }),
    )
    const { answer } = JSON.parse(text)
    const page = await client.ask(`/api/deal/get?ticket=${answer.Ticket}`)
    expect(JSON.parse(page.text).answer).toMatchObject({
      Deal: answer.Ticket,
      Action: '2',
      Profit: '-125.50',
      Comment: 'BB-7Q4X8R3T6W5Y'.padEnd(31, '.'),
      PositionID: '0',
      // ten o’clock on the server’s clock, which is two hours ahead of UTC
      Time: String(START / 1000 + 7200),
      TimeMsc: String(START + 7_200_000),
    })
    expect(countBooked(simulator)).toBe(1)
  })

  test.each([
    ['more than there is', { balance: '-1000.01' }, '10019'],
    ['credit that was not given', { type: '3', balance: '-1' }, '10019'],
    ['too much at once', { balance: '1000000000.01' }, '4005'],
    ['a type that there is not', { type: '7' }, '3 '],
    ['more places than the currency has', { balance: '1.001' }, '3 '],
    ['an amount with an exponent', { balance: '1e2' }, '3 '],
    ['a login that there is not', { login: '77' }, '13 '],
  ])('%s is refused', async (_, change, code) => {
    const { client, login, simulator } = await start()
    expect((await client.ask('/api/trade/balance', order(login, change))).text).toContain(`"retcode":"${code}`)
    expect(countBooked(simulator)).toBe(0)
  })

  test('margin that is bound does not leave, unless nobody asks for it', async () => {
    const { client, login, simulator } = await start()
    ACTS.open(simulator.engine, { login, symbol: 'EURUSD', side: 'long', lots: '0.80', price: '1.08000' })
    const wanted = order(login, { balance: '-500.00' })
    expect((await client.ask('/api/trade/balance', wanted)).text).toContain('10019')
    expect((await client.ask('/api/trade/balance', { ...wanted, check_margin: '0' })).text).toContain('"0 Done"')
  })

  test('a manager without the right, and one of other groups, is refused', async () => {
    const { client, login, simulator } = await start()
    const manager = simulator.engine.state.managers.get(MANAGER_LOGIN)
    if (manager === undefined) throw new Error('there is no manager')
    manager.masks = ['demo*']
    expect((await client.ask('/api/trade/balance', order(login))).text).toContain('"8 ')
    Object.assign(manager, { masks: ['*', '!demo*'], rights: [1, 25, 29] })
    expect((await client.ask('/api/trade/balance', order(login))).text).toContain('"8 ')
    expect(countBooked(simulator)).toBe(0)
  })
})

const CUTS: [string, Effect, number][] = [
  ['cut before it is done', { do: 'cut', when: 'before' }, 0],
  ['cut after it is done', { do: 'cut', when: 'after' }, 1],
  ['cut in the head of the answer', { do: 'cut', when: 'headers' }, 1],
  ['cut in the body of the answer', { do: 'cut', when: 'body' }, 1],
  ['a length that is too long', { do: 'length', by: 5 }, 1],
]

describe('faults', () => {
  test.each(CUTS)('%s: the journal tells what was done', async (_, effect, times) => {
    const { client, login, simulator, server } = await start()
    simulator.faults.add({ path: '/api/trade/balance', effect })
    expect((await client.ask('/api/trade/balance', order(login))).isWhole).toBe(false)
    expect(countBooked(simulator)).toBe(times)
    expect(simulator.journal.entries()).toMatchObject([{ executed: times === 1, answered: false, fault: effect.do }])
    const next = await dial(server.port)
    expect((await next.ask('/api/user/total')).status).toBe(403)
    await signIn(next)
    expect((await next.ask('/api/trade/balance', order(login))).text).toContain('"0 Done"')
    next.socket.destroy()
  })

  test('a status, an empty answer, a code and a page of a proxy, done or not', async () => {
    const { client, login, simulator } = await start()
    const see = async (effect: Effect): Promise<string> => {
      simulator.faults.add({ path: '/api/trade/*', login: String(login), effect })
      const { status, text } = await client.ask('/api/trade/balance', order(login))
      return `${status} ${text.slice(0, 18)} ${countBooked(simulator)}`
    }
    expect(await see({ do: 'status', status: 403, executed: true })).toBe('403  1')
    expect(await see({ do: 'status', status: 502, executed: false, html: true })).toBe('502 <html><head><title 1')
    expect(await see({ do: 'empty', executed: true })).toBe('200  2')
    expect(await see({ do: 'retcode', code: 12, executed: false })).toBe('200 {"retcode":"12 Too 2')
    expect(await see({ do: 'truncate' })).toStartWith('200 {"retcode"')
    expect(await see({ do: 'garbage', text: 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n[]', executed: true })).toBe(
      '200 [] 4',
    )
  })

  test('the third and fourth matching call are befallen, and a session may be forgotten', async () => {
    const { client, simulator } = await start()
    simulator.faults.add({
      path: '/api/user/total',
      nth: 3,
      times: 2,
      effect: { do: 'status', status: 503, executed: false },
    })
    const seen: number[] = []
    for (let call = 0; call < 5; call += 1) seen.push((await client.ask('/api/user/total')).status)
    expect(seen).toEqual([200, 200, 503, 503, 200])
    simulator.faults.add({ effect: { do: 'forget' } })
    expect((await client.ask('/api/user/total')).status).toBe(403)
  })

  test('a deal is shown later, and a plug-in writes into its comment', async () => {
    const { client, login, simulator, move } = await start()
    simulator.conditions.commentSuffix = ' [gw]'
    simulator.faults.add({ path: '/api/trade/balance', effect: { do: 'late', ms: 90_000 } })
    await client.ask('/api/trade/balance', order(login))
    const list = async () =>
      JSON.parse((await client.ask(`/api/deal/get_batch?login=${login}&from=0&to=2000000000`)).text).answer
    expect(await list()).toHaveLength(1)
    move(90_000)
    expect((await list())[1]).toMatchObject({ Comment: 'BB-7Q4X8R3T6W5Y [gw]' })
  })

  test('the proof of the server may be wrong, and new connections may be cut', async () => {
    const { server, simulator } = await start()
    simulator.faults.add({ path: '/api/auth/answer', effect: { do: 'proof' } })
    const other = await dial(server.port)
    expect((await signIn(other)).text).toContain(`"cli_rand_answer":"${'0'.repeat(32)}"`)
    simulator.conditions.connections = { take: 0, how: 'reset' }
    const late = await dial(server.port)
    expect((await late.ask('/api/test/access')).isWhole).toBe(false)
    other.socket.destroy()
  })
})

describe('lists', () => {
  test('long ones come in chunks, and rows may be missing or twice', async () => {
    const { client, login, simulator } = await start()
    for (let count = 0; count < 600; count += 1)
      ACTS.open(simulator.engine, { login, symbol: 'EURUSD.m!', side: 'short', lots: '0.00000001' })
    const path = '/api/position/get_batch?group=demo*,real*'
    const list = async () => JSON.parse((await client.ask(path)).text).answer
    const rows = await list()
    expect(rows).toHaveLength(600)
    expect(rows[0]).toMatchObject({ Symbol: 'EURUSD.m!', Action: '1', Volume: '0', VolumeExt: '1' })
    simulator.faults.add({ path: '/api/position/get_batch', effect: { do: 'rows', change: 'fewer' } })
    expect(await list()).toHaveLength(599)
    simulator.faults.add({ path: '/api/position/get_batch', effect: { do: 'rows', change: 'none' } })
    expect(await list()).toEqual([])
    const page = JSON.parse((await client.ask(`/api/position/get_page?login=${login}&offset=550&total=500`)).text)
    expect(page.answer).toHaveLength(50)
  })

  test('numbers without quotation marks, other names, and fields of newer and older builds', async () => {
    const { client, login, simulator } = await start()
    Object.assign(simulator.conditions, { unquoted: true, capitalTotal: true, old: true, extra: true })
    const { text } = await client.ask(`/api/deal/get_batch`, { login: [login], from: 0, to: 2_000_000_000 })
    expect(text).toContain('"Profit":1000.00')
    expect(text).toContain('"FutureField":7')
    expect(text).not.toMatch(/VolumeExt|Fee|Market/)
    expect((await client.ask(`/api/deal/get_total?login=${login}&from=0&to=2000000000`)).text).toContain('"Total":1')
  })

  test('a batch wants one of login, group and ticket; the body wins over the address', async () => {
    const { client, login } = await start()
    expect((await client.ask(`/api/position/get_batch?login=${login}&group=*`)).text).toContain('"3 ')
    expect((await client.ask(`/api/deal/get_batch?login=${login}`)).text).toContain('"3 ')
    const { answer } = JSON.parse((await client.ask('/api/user/get?login=1', { Login: String(login) })).text)
    expect(answer).toMatchObject({ Login: String(login), Balance: '1000.00', Rights: '483' })
  })

  test('a server that was started anew knows no account without positions', async () => {
    const { client, login, simulator } = await start()
    const path = `/api/user/account/get?login=${login}`
    expect((await client.ask(path)).text).toContain('"Equity":"1000.00"')
    ACTS.restart(simulator.engine)
    expect((await client.ask(path)).text).toContain('"13 ')
    expect((await client.ask('/api/user/account/get_batch?group=*')).text).toContain('"answer":[]')
  })
})

describe('logins', () => {
  test('one is opened, changed and read; what is wrong is passed over in silence', async () => {
    const { client } = await start()
    const added = await client.ask('/api/user/add', {
      Group: 'real\\hedging-usd',
      FirstName: 'Ben',
      LastName: 'Berg',
      Leverage: '100',
      Rights: '483',
      PassMain: 'Abcd-1234',
      PassInvestor: 'Efgh-5678',
      Comment: 'BB-000000000001',
    })
    const { Login } = JSON.parse(added.text).answer
    const changed = await client.ask('/api/user/update', { Login, Leverage: '9999', Rights: '487', Balance: '5' })
    expect(JSON.parse(changed.text).answer).toMatchObject({ Leverage: '100', Rights: '487', Balance: '0.00' })
    const password = { login: Login, type: 'main', password: 'Ijkl-9012' }
    expect((await client.ask('/api/user/change_password', password)).text).toBe('{"retcode":"0 Done"}')
    expect((await client.ask('/api/user/check_password', { ...password, password: 'other' })).text).toContain('3006')
    expect((await client.ask('/api/user/update', { Login, Group: 'real\\hedging-eur' })).text).toContain('3010')
  })
})

test('the control port needs its token, sets faults, trades and tells the truth', async () => {
  const { client, login, simulator, server } = await start()
  const onIdentity = (): void => undefined
  const control = openControl({ simulator, server, trading: { on: true }, onIdentity }, { port: 0, token: 'secret' })
  const call = async (method: string, path: string, body?: unknown, token = 'secret') => {
    const init = { method, headers: { authorization: `Bearer ${token}` }, body: JSON.stringify(body) ?? null }
    const response = await fetch(`http://127.0.0.1:${control.port}${path}`, init)
    return { status: response.status, text: await response.text() }
  }
  expect((await call('GET', '/journal', undefined, 'other')).status).toBe(401)
  await call('POST', '/faults', { path: '/api/user/total', effect: { do: 'retcode', code: 12, executed: false } })
  expect((await client.ask('/api/user/total')).text).toContain('"12 ')
  expect((await call('GET', '/journal')).text).toContain('"fault":"retcode"')
  expect((await call('POST', '/act', { act: 'manualDeposit', login, amount: '1.00' })).status).toBe(200)
  expect((await call('POST', '/act', { act: 'manualDeposit', login })).status).toBe(400)
  expect((await call('GET', `/truth?login=${login}`)).text).toContain('"balance":"1001.00"')
  expect((await call('POST', '/faults', { effect: { do: 'nothing' } })).status).toBe(400)
  await control.stop(true)
})

test('a server presents another certificate when it is told to', async () => {
  const { server } = await start()
  const seen = async (): Promise<string | undefined> => {
    const { socket } = await dial(server.port)
    const { subjectaltname } = socket.getPeerCertificate()
    socket.destroy()
    return subjectaltname
  }
  expect(await seen()).toBe('DNS:localhost')
  server.present(makeIdentity(['other.example'], START))
  expect(await seen()).toBe('DNS:other.example')
})
