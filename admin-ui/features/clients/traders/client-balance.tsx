import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type Answer, call } from '../../../api.ts'
import { LateValue } from '../../../components/show/late-value.tsx'
import { Money } from '../../../components/show/money.tsx'
import { batchReads } from '../../../lib/api/batched-reads.ts'
import { addDecimal } from '../../../lib/text/decimal.ts'
import { fetchTraders } from './traders.api.ts'

const WIDE = '(min-width: 48em)'

type Wallet = Answer<'wallets.list'>['data'][number]

/** At most this many clients are read at once, as many as a page of the list has. */
const MOST = 50

/** Reads all wallets of some clients. */
async function fetchAllWallets(ids: readonly string[]): Promise<{ id: string; wallets: Wallet[] }[]> {
  const found: Wallet[] = []
  for (let at = 0; at < ids.length; at += MOST) {
    const traderIds = ids.slice(at, at + MOST).join(',')
    let cursor: string | null = ''
    while (cursor !== null) {
      const page: Answer<'wallets.list'> = await call('wallets.list', {
        query: { traderIds, limit: 200, ...(cursor && { cursor }) },
      })
      found.push(...page.data)
      cursor = page.nextCursor
    }
  }
  return ids.map((id) => ({ id, wallets: found.filter(({ traderId }) => traderId === id) }))
}
const fetchOne = batchReads(fetchAllWallets)

const isNothing = (amount: string): boolean => Number(amount) === 0

const balanceQuery = (id: string) => ({
  queryKey: ['wallets', 'total', id],
  // without its signal: a row that the screen draws no more may be printed
  queryFn: async () => (await fetchOne(id))?.wallets ?? [],
  staleTime: 30_000,
})

/**
 * Returns a function that reads a page of clients, and the wallets of all of them: a printed list has rows that the
 * screen has not drawn yet, for which it would be too late. A phone shows no balances.
 */
export const useTradersWithBalances = (): typeof fetchTraders => {
  const client = useQueryClient()
  return async (query) => {
    const page = await fetchTraders(query)
    if (matchMedia(WIDE).matches) for (const { id } of page.data) void client.prefetchQuery(balanceQuery(id))
    return page
  }
}

/** Shows how much money a client has with the firm in each currency, available and held money together. */
export const ClientBalance = ({ id }: { id: string }) => {
  const read = useQuery(balanceQuery(id))
  if (!read.data) return <LateValue isError={read.isError} />
  const sums = read.data
    .map(({ currency, available, held }) => ({ currency, amount: addDecimal(available, held) }))
    .filter(({ amount }) => !isNothing(amount))
  if (sums.length === 0) return <span className="dim">—</span>
  return sums.map(({ currency, amount }) => (
    <div key={currency}>
      <Money amount={amount} currency={currency} />
    </div>
  ))
}
