import { Text, type TextProps } from '@mantine/core'
import { groupDigits } from '../../lib/text/format.ts'

/** `currency` is null if it is unknown. */
type MoneyProps = { amount: string; currency: string | null } & Pick<TextProps, 'fw' | 'size' | 'c'>

/** Shows an amount of the API, grouped but never rounded, in digits of equal width, with its currency. */
export const Money = ({ amount, currency, ...text }: MoneyProps) => (
  <Text span inherit className="money" {...text}>
    {groupDigits(amount)} <span className="money-currency">{currency}</span>
  </Text>
)
