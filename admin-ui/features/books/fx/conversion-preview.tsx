import { Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { errorText } from '../../../components/page/error-state.tsx'
import { Money } from '../../../components/show/money.tsx'
import { compareDecimal, isDecimal } from '../../../lib/text/decimal.ts'
import { formatAgo, groupDigits, humanize } from '../../../lib/text/format.ts'
import type { Conversion, Converting } from './fx.api.ts'
import { quoteFor } from './quotes.ts'
import { say } from './words.ts'

type ConversionPreviewProps = {
  amount: string
  base: string
  quote: string
  /** This says whose terms apply: those of staff, or of a client who converts without staff. */
  who?: Converting
}

const VIA: Record<Conversion['via'], string> = {
  same: say('fx.via.same'),
  direct: say('fx.via.direct'),
  inverse: say('fx.via.inverse'),
  pivot: say('fx.via.pivot'),
}
const POOLS = { tenant: say('fx.pool.own_rate'), global: say('fx.pool.common_rate') } as const

// A rate comes with 18 decimal places; more than eight are hard to read.
const shortRate = (rate: string): string => {
  const [whole = '', fraction = ''] = rate.split('.')
  const kept = fraction.slice(0, 8).replace(/0+$/, '')
  return groupDigits(kept ? `${whole}.${kept}` : whole)
}

/** Shows what an amount is worth in another currency now, with the rate, its source and its age. */
export const ConversionPreview = ({ amount, base, quote, who = 'staff' }: ConversionPreviewProps) => {
  const [asked] = useDebouncedValue(amount, 350)
  const usable = isDecimal(amount) && compareDecimal(amount, '0') > 0 && base.length >= 3 && quote.length >= 3
  // The result of an earlier amount is not shown beside the amount that is being typed.
  const settled = asked === amount
  const found = useQuery({ ...quoteFor({ amount, base, quote, who }), enabled: usable && settled })
  if (!usable) return null
  return (
    <div className="conversion" aria-live="polite">
      {found.isPending && (
        <Text size="sm" c="dimmed">
          {say('fx.preview.loading')}
        </Text>
      )}
      {found.isError && (
        <Text size="sm" className="error-text">
          {errorText(found.error)}
        </Text>
      )}
      {found.isSuccess && <Result conversion={found.data} />}
    </div>
  )
}

const Result = ({ conversion }: { conversion: Conversion }) => {
  const { base, quote, rate, result, via, pool, source, asOf } = conversion
  const origin: string[] = [VIA[via]]
  if (pool) origin.push(source ? `${POOLS[pool]} (${humanize(source)})` : POOLS[pool])
  if (asOf) origin.push(say('fx.set', { ago: formatAgo(asOf) }))
  return (
    <>
      <Money amount={result} currency={quote} fw={600} />
      <Text size="xs" c="dimmed">
        1 {base} = {shortRate(rate)} {quote} · {origin.join(', ')}
      </Text>
    </>
  )
}
