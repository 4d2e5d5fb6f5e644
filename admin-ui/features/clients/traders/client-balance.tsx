import { useQuery } from '@tanstack/react-query'
import { type Answer, call } from '../../../api.ts'
import { LateValue } from '../../../components/show/late-value.tsx'
import { Money } from '../../../components/show/money.tsx'
import { batchReads } from '../../../lib/api/batched-reads.ts'
import { addDecimal } from '../../../lib/text/decimal.ts'

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

/** Shows how much money a client has with the firm in each currency, available and held money together. */
export const ClientBalance = ({ id }: { id: string }) => {
  const read = useQuery({
    queryKey: ['wallets', 'total', id],
    queryFn: async ({ signal }) => (await fetchOne(id, signal))?.wallets ?? [],
    staleTime: 30_000,
  })
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
