import { ask, must, PASSWORD, sessionAfter, signIn } from './executable.ts'
import { type Machine, type Pair, signInOn, startOn } from './pair.ts'
import { vouchFor } from './vouch.ts'

const SECOND_PERSON = 'second@pair.test'
/** The pause (ms) of a writer after each movement: lists add up the money of no more than 10,000 rows. */
const WRITES_EVERY = 20
const CURRENCIES = ['EUR', 'USD'] as const

type Wallet = { id: string; traderId: string; currency: string }
type Headers = Record<string, string>
/** Money that moves all the time. */
export type Moving = {
  wallets: readonly Wallet[]
  /** Returns how many movements were booked so far. */
  moved(): number
  /** Returns the wallet that moved last. */
  last(): string
  stop(): Promise<void>
}

/** Invites a colleague, who sets a password of their own; returns the headers of their requests. */
export async function inviteColleague(primary: Machine, email: string, role: 'admin' | 'owner'): Promise<Headers> {
  const headers = await signInOn(primary)
  const person = { email, displayName: email, roles: [role], password: PASSWORD }
  const invited = await ask(primary.url, 'POST', '/v1/users/invite', { headers, body: person })
  must(invited.status === 201, invited.text)
  const own = { cookie: await signIn(primary.url, email, PASSWORD), origin: primary.url }
  const body = { currentPassword: PASSWORD, newPassword: PASSWORD }
  const changed = await ask(primary.url, 'POST', '/v1/auth/change-password', { headers: own, body })
  return { cookie: sessionAfter(changed), origin: primary.url }
}

/** Invites a second person, who may approve; the primary is started for that, and stopped again. */
async function inviteSecond(primary: Machine): Promise<void> {
  await startOn(primary, ['serve'])
  await inviteColleague(primary, SECOND_PERSON, 'admin')
  await primary.server?.kill('SIGTERM')
  vouchFor(primary.data, SECOND_PERSON)
}

/**
 * Sends a request with a key of its own, once more if the connection broke. Returns the id of what was made; undefined
 * if the rules refuse it, since the money is elsewhere by now.
 */
async function call(url: string, headers: Headers, path: string, body: object): Promise<string | undefined> {
  const sent = { headers: { ...headers, 'idempotency-key': crypto.randomUUID() }, body }
  const answer = ask(url, 'POST', path, sent)
  const { status, json, text } = await answer.catch(() => ask(url, 'POST', path, sent))
  must(status < 300 || status === 409, `${path}: ${status} ${text}`)
  return status === 409 ? undefined : String(json.id)
}

type People = { url: string; first: Headers; second: Headers }

/** Announces a deposit, which another person settles. */
async function deposit({ url, first, second }: People, traderId: string, currency: string, amount: string) {
  const id = await call(url, first, '/v1/deposits', { traderId, currency, amount, method: 'bank' })
  const settled = await call(url, second, `/v1/deposits/${id}/settle`, {})
  must(settled !== undefined, 'a deposit could not be settled')
}

/** Makes clients, each with a wallet that has money. */
async function fundWallets(people: People, count: number): Promise<Wallet[]> {
  const { url, first: headers } = people
  const makeOne = async (n: number): Promise<void> => {
    const id = await call(url, headers, '/v1/traders', { email: `client-${n}@pair.test` })
    await deposit(people, String(id), CURRENCIES[n % 2] ?? 'EUR', '1000.00')
  }
  for (let n = 0; n < count; n += 10) await Promise.all(Array.from({ length: 10 }, (_, more) => makeOne(n + more)))
  const wallets: Wallet[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const query = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`
    const { json } = await ask(url, 'GET', `/v1/wallets?limit=200${query}`, { headers })
    const page = json as { data: Wallet[]; nextCursor: string | null }
    wallets.push(...page.data)
    cursor = page.nextCursor
  }
  must(wallets.length >= count, `${wallets.length} wallets were made, not ${count}`)
  return wallets
}

const pick = <T>(list: readonly T[]): T => {
  const one = list[Math.floor(Math.random() * list.length)]
  if (one === undefined) throw new Error('there is nothing to pick from')
  return one
}
const makeAmount = (): string => (Math.random() * 20 + 0.01).toFixed(2)

/** Starts the primary of a pair with some hundred wallets, and moves money between them until it is stopped. */
export async function moveMoney(pair: Pair, parts: { wallets: number; writers: number }): Promise<Moving> {
  const { primary } = pair
  await inviteSecond(primary)
  await startOn(primary, ['serve'])
  const { url } = primary
  const first = await signInOn(primary)
  const second = { cookie: await signIn(url, SECOND_PERSON, PASSWORD), origin: url }
  const people = { url, first, second }
  const wallets = await fundWallets(people, parts.wallets)
  let moved = 0
  let isOver = false
  let last = ''
  const act = async (): Promise<void> => {
    const roll = Math.random()
    const { id: from, traderId, currency } = pick(wallets)
    if (roll < 0.6) {
      const to = pick(wallets.filter((one) => one.currency === currency && one.id !== from))
      const body = { fromWalletId: from, toWalletId: to.id, amount: makeAmount() }
      if ((await call(url, first, '/v1/transfers', body)) === undefined) return
    } else if (roll < 0.9) {
      const direction = pick(['credit', 'debit'])
      const body = { traderId, currency, direction, amount: makeAmount(), reason: 'trial' }
      const asked = await call(url, first, '/v1/adjustments', body)
      if ((await call(url, second, `/v1/adjustments/${asked}/approve`, { note: 'seen' })) === undefined) return
    } else await deposit(people, traderId, currency, makeAmount())
    moved += 1
    last = from
  }
  const write = async (): Promise<void> => {
    for (; !isOver; await Bun.sleep(WRITES_EVERY)) await act()
  }
  const writing = Promise.all(Array.from({ length: parts.writers }, write))
  // a failure shows when the trial stops the writers
  writing.catch(() => {})
  return {
    wallets,
    moved: () => moved,
    last: () => last,
    stop: async () => {
      isOver = true
      await writing
    },
  }
}
