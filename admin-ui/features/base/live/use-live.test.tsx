import { afterEach, beforeEach, expect, spyOn, test } from 'bun:test'
import { useQuery } from '@tanstack/react-query'
import { act, renderPage, screen, waitFor } from '../../../testing/render.tsx'
import { summary } from '../../../testing/samples.ts'
import { type Summary, summaryQuery } from './summary.ts'
import { useLive } from './use-live.ts'

const one = (with_: Partial<Summary> = {}): Summary => summary({ pendingDeposits: 1, ...with_ })

/** Stands in for the browser's EventSource; a test says what the server sends and when the connection breaks. */
class Line extends EventTarget {
  static readonly all: Line[] = []
  static readonly OPEN = 1
  static readonly CLOSED = 2
  readyState: number = Line.OPEN
  readonly address: string

  constructor(address: string) {
    super()
    this.address = address
    Line.all.push(this)
  }

  close(): void {
    this.readyState = Line.CLOSED
  }

  send(data: unknown): void {
    const text = typeof data === 'string' ? data : JSON.stringify(data)
    act(() => void this.dispatchEvent(new MessageEvent('summary', { data: text })))
  }
}

const real = globalThis.EventSource
let isHidden = false
let polls: (() => void)[] = []
beforeEach(() => {
  Object.assign(globalThis, { EventSource: Line })
  Object.defineProperty(document, 'hidden', { configurable: true, get: () => isHidden })
})
afterEach(() => {
  Object.assign(globalThis, { EventSource: real })
  Reflect.deleteProperty(document, 'hidden')
  Line.all.length = 0
  isHidden = false
  polls = []
})

/** Counts how often each list was read. */
const reads = { deposits: 0, wallets: 0, leads: 0 }
const Page = () => {
  useLive()
  const { data } = useQuery(summaryQuery)
  const read = (name: keyof typeof reads) => async () => ++reads[name]
  useQuery({ queryKey: ['deposits', 'list'], queryFn: read('deposits') })
  useQuery({ queryKey: ['wallets', 'list'], queryFn: read('wallets') })
  useQuery({ queryKey: ['leads', 'list'], queryFn: read('leads') })
  return <p>{data ? `${data.pendingDeposits} wait` : 'unknown'}</p>
}
const open = async () => {
  Object.assign(reads, { deposits: 0, wallets: 0, leads: 0 })
  const timer = spyOn(globalThis, 'setInterval')
  const drawn = await renderPage(<Page />, { answers: { 'notifications.summary': one() } })
  const since = timer.mock.calls.filter(([, every]) => every === 30_000)
  polls = since.map(
    ([poll]) =>
      () =>
        void (typeof poll === 'function' && poll()),
  )
  timer.mockRestore()
  await screen.findByText('1 wait')
  const [line] = Line.all
  if (!line) throw new Error('no line was opened')
  return { ...drawn, line }
}
const show = (hidden: boolean): void => {
  isHidden = hidden
  act(() => void document.dispatchEvent(new Event('visibilitychange')))
}
const poll = (): void =>
  act(() => {
    for (const one of polls) one()
  })

test('new counts over the live connection make what changed, and what depends on it, read again', async () => {
  const { line, server } = await open()
  expect(line.address).toContain('/v1/')
  line.send(one({ pendingDeposits: 2 }))
  expect(await screen.findByText('2 wait')).toBeDefined()
  await waitFor(() => expect(reads).toEqual({ deposits: 2, wallets: 2, leads: 1 }))
  expect(server.of('notifications.summary')).toHaveLength(1)
})

test('the same counts again cause no read', async () => {
  const { line } = await open()
  line.send(one())
  line.send(one({ newLeads: 1 }))
  await waitFor(() => expect(reads.leads).toBe(2))
  expect(reads).toEqual({ deposits: 1, wallets: 1, leads: 2 })
})

test.each(['no JSON', 'null', '{"pendingKyc":1}', '[]'])(
  'a live message that is no summary is ignored: %s',
  async (data) => {
    const { line, client } = await open()
    line.send(data)
    expect(client.getQueryData(summaryQuery.queryKey)).toEqual(one())
  },
)

test('a hidden tab closes its live connection, and opens another when it is shown again', async () => {
  const { line, server } = await open()
  show(true)
  expect(line.readyState).toBe(Line.CLOSED)
  poll()
  expect(Line.all).toHaveLength(1)
  show(false)
  expect(Line.all).toHaveLength(2)
  await waitFor(() => expect(server.of('notifications.summary')).toHaveLength(2))
})

test('while the live connection is open nothing is polled', async () => {
  const { server } = await open()
  poll()
  show(false)
  expect(Line.all).toHaveLength(1)
  expect(server.of('notifications.summary')).toHaveLength(1)
})

test('without a live connection the counts are polled, and lists behind changed ones are read again', async () => {
  const { line, server } = await open()
  line.close()
  server.now({ 'notifications.summary': one({ pendingDeposits: 7 }) })
  poll()
  expect(await screen.findByText('7 wait')).toBeDefined()
  await waitFor(() => expect(reads).toEqual({ deposits: 2, wallets: 2, leads: 1 }))
  expect(Line.all).toHaveLength(2)
})

test('a live connection that is still opening is not opened twice', async () => {
  const { line, server } = await open()
  line.readyState = 0
  poll()
  await waitFor(() => expect(server.of('notifications.summary')).toHaveLength(2))
  expect(Line.all).toHaveLength(1)
})

test('closing the page closes its live connection', async () => {
  const { line, router } = await open()
  await act(() => router.navigate({ to: '/audit' }))
  await waitFor(() => expect(line.readyState).toBe(Line.CLOSED))
})
