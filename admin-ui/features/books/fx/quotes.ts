import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { ApiError } from '../../../lib/api/http.ts'
import { groupDigits } from '../../../lib/text/format.ts'
import { type Conversion, type Converting, convert } from './fx.api.ts'
import { say } from './words.ts'

/** What is converted, and at whose terms: those of staff, or of a client who converts alone. */
type Quoting = { amount: string; base: string; quote: string; who: Converting }

/** What an amount comes to now. */
export const quoteFor = ({ amount, base, quote, who }: Quoting) =>
  queryOptions({
    queryKey: ['fx', 'convert', amount, base, quote, who],
    queryFn: () => convert(amount, base, quote, who),
    retry: false,
  })

/** What is said when a conversion would come to something else than the reader saw; null when it would not. */
export const quoteChange = (shown: Conversion | undefined, now: Conversion): string | null => {
  if (shown?.result === now.result) return null
  const comesTo = `${groupDigits(now.result)} ${now.quote}`
  return shown
    ? say('fx.preview.changed', { comesTo, result: groupDigits(shown.result), quote: shown.quote })
    : say('fx.preview.result', { comesTo })
}

/**
 * Reads a quote again before it is acted on, and refuses to go on when it is not the one on the screen. The new one is
 * shown then. The API posts at the rate of its own moment, so this is as near as a reader gets to what they agreed to.
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
