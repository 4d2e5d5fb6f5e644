import { Autocomplete, type AutocompleteProps } from '@mantine/core'
import { CURRENCIES } from '../../lib/text/currencies.ts'
import { say } from '../../lib/text/words.ts'

type CurrencyFieldProps = Omit<AutocompleteProps, 'data' | 'onChange'> & { onChange?: (value: string) => void }

/** Chooses a currency code: the usual ones are offered, every other can be typed. */
export const CurrencyField = ({ onChange, ...props }: CurrencyFieldProps) => (
  <Autocomplete
    label={say('common.currency')}
    data={[...CURRENCIES]}
    limit={12}
    maxLength={5}
    autoComplete="off"
    onChange={(value) => onChange?.(value.toUpperCase())}
    {...props}
  />
)
