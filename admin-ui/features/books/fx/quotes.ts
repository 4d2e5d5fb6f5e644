import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { ApiError } from '../../../lib/api/http.ts'
import { groupDigits } from '../../../lib/text/format.ts'
import { type Conversion, type Converting, convert } from './fx.api.ts'
import { say } from './words.ts'

/** Says what is converted and whose terms apply: those of staff, or of a client who converts without staff. */
type Quoting = { amount: string; base: string; quote: string; who: Converting }

/** Reads what an amount is worth in another currency now. */
export const quoteFor = ({ amount, base, quote, who }: Quoting) =>
  queryOptions({
    queryKey: ['fx', 'convert', amount, base, quote, who],
    queryFn: () => convert(amount, base, quote, who),
    retry: false,
  })

/** Says that a conversion now gives another result than the reader saw; null if the result is the same. */
export const quoteChange = (shown: Conversion | undefined, now: Conversion): string | null => {
  if (shown?.result === now.result) return null
  const comesTo = `${groupDigits(now.result)} ${now.quote}`
  return shown
    ? say('fx.preview.changed', { comesTo, result: groupDigits(shown.result), quote: shown.quote })
    : say('fx.preview.result', { comesTo })
}

/**
 * Reads a quote again before it is used, and throws if it differs from the one on the screen; the new one is shown
 * then. The API still posts at the rate of the moment of the request, so a later change of the rate is not noticed.
 */
export const useSameQuote = () => {
  const client = useQueryClient()
  return async (quoting: Quoting): Promise<void> => {
    const asked = quoteFor(quoting)
    const shown = client.getQueryData(asked.queryKey)
    const change = quoteChange(shown, await client.fetchQuery({ ...asked, staleTime: 0 }))
    if (change) throw new ApiError({ status: 409, title: say('fx.preview.changed.title'), detail: change })
  }
}
