import { Autocomplete, type AutocompleteProps, TextInput, type TextInputProps } from '@mantine/core'
import { CURRENCIES } from '../lib/currencies.ts'

type CurrencyFieldProps = Omit<AutocompleteProps, 'data' | 'onChange'> & { onChange?: (value: string) => void }

/** A currency code: the usual ones offered, every other can be typed. */
export const CurrencyField = ({ onChange, ...props }: CurrencyFieldProps) => (
  <Autocomplete
    label="Currency"
    data={[...CURRENCIES]}
    limit={12}
    maxLength={5}
    autoComplete="off"
    onChange={(value) => onChange?.(value.toUpperCase())}
    {...props}
  />
)

type AmountFieldProps = TextInputProps & { currency?: string }

/** An amount as text, because a number field would round it. A comma is taken as the decimal point. */
export const AmountField = ({ currency, onChange, ...props }: AmountFieldProps) => (
  <TextInput
    inputMode="decimal"
    autoComplete="off"
    className="amount-field"
    {...(currency && { rightSection: <span className="amount-currency">{currency}</span>, rightSectionWidth: 56 })}
    {...props}
    onChange={(event) => {
      event.currentTarget.value = event.currentTarget.value.replace(',', '.').replace(/\s/g, '')
      onChange?.(event)
    }}
  />
)
