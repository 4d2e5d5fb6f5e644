import { afterEach, beforeEach, expect, spyOn, test } from 'bun:test'
import { useQuery } from '@tanstack/react-query'
import { act, renderPage, screen, waitFor } from '../../../testing/render.tsx'
import { summary } from '../../../testing/samples.ts'
import { type Summary, summaryQuery } from './summary.ts'
import { useLive } from './use-live.ts'

const one = (with_: Partial<Summary> = {}): Summary => summary({ pendingDeposits: 1, ...with_ })

/** Stands in for the browser's EventSource; a test says what the server sends and when the connection breaks. */
class FakeStream extends EventTarget {
  static readonly all: FakeStream[] = []
  static readonly OPEN = 1
  static readonly CLOSED = 2
  readyState: number = FakeStream.OPEN
  readonly address: string

  constructor(address: string) {
    super()
    this.address = address
    FakeStream.all.push(this)
  }

  close(): void {
    this.readyState = FakeStream.CLOSED
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
  Object.assign(globalThis, { EventSource: FakeStream })
  Object.defineProperty(document, 'hidden', { configurable: true, get: () => isHidden })
})
afterEach(() => {
  Object.assign(globalThis, { EventSource: real })
  Reflect.deleteProperty(document, 'hidden')
  FakeStream.all.length = 0
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
  const [stream] = FakeStream.all
  if (!stream) throw new Error('no stream was opened')
  return { ...drawn, stream }
}
const show = (hidden: boolean): void => {
  isHidden = hidden
  act(() => void document.dispatchEvent(new Event('visibilitychange')))
}
const poll = (): void =>
  act(() => {
    for (const one of polls) one()
  })

test('after new counts the changed lists, and those that depend on them, are read again', async () => {
  const { stream, server } = await open()
  expect(stream.address).toContain('/v1/')
  stream.send(one({ pendingDeposits: 2 }))
  expect(await screen.findByText('2 wait')).toBeDefined()
  await waitFor(() => expect(reads).toEqual({ deposits: 2, wallets: 2, leads: 1 }))
  expect(server.of('notifications.summary')).toHaveLength(1)
})

test('a live message with the same counts causes no read', async () => {
  const { stream } = await open()
  stream.send(one())
  stream.send(one({ newLeads: 1 }))
  await waitFor(() => expect(reads.leads).toBe(2))
  expect(reads).toEqual({ deposits: 1, wallets: 1, leads: 2 })
})

test.each(['no JSON', 'null', '{"pendingKyc":1}', '[]'])(
  'a live message that is no summary is ignored: %s',
  async (data) => {
    const { stream, client } = await open()
    stream.send(data)
    expect(client.getQueryData(summaryQuery.queryKey)).toEqual(one())
  },
)

test('a hidden tab closes its live connection, and opens another when it is shown again', async () => {
  const { stream, server } = await open()
  show(true)
  expect(stream.readyState).toBe(FakeStream.CLOSED)
  poll()
  expect(FakeStream.all).toHaveLength(1)
  show(false)
  expect(FakeStream.all).toHaveLength(2)
  await waitFor(() => expect(server.of('notifications.summary')).toHaveLength(2))
})

test('nothing is polled while the live connection is open', async () => {
  const { server } = await open()
  poll()
  show(false)
  expect(FakeStream.all).toHaveLength(1)
  expect(server.of('notifications.summary')).toHaveLength(1)
})

test('without a live connection the counts are polled, and lists behind changed ones are read again', async () => {
  const { stream, server } = await open()
  stream.close()
  server.now({ 'notifications.summary': one({ pendingDeposits: 7 }) })
  poll()
  expect(await screen.findByText('7 wait')).toBeDefined()
  await waitFor(() => expect(reads).toEqual({ deposits: 2, wallets: 2, leads: 1 }))
  expect(FakeStream.all).toHaveLength(2)
})

test('a live connection that is still opening is not opened twice', async () => {
  const { stream, server } = await open()
  stream.readyState = 0
  poll()
  await waitFor(() => expect(server.of('notifications.summary')).toHaveLength(2))
  expect(FakeStream.all).toHaveLength(1)
})

test('closing the page closes its live connection', async () => {
  const { stream, router } = await open()
  await act(() => router.navigate({ to: '/audit' }))
  await waitFor(() => expect(stream.readyState).toBe(FakeStream.CLOSED))
})
