import { SimpleGrid, Stack } from '@mantine/core'
import { useState } from 'react'
import { AmountField } from '../../components/amount-field.tsx'
import { CurrencyField } from '../../components/money-fields.tsx'
import { Section } from '../../components/section.tsx'
import { ConversionPreview } from './conversion-preview.tsx'

/** Tries out what the rates make of an amount. */
export const Converter = () => {
  const [amount, setAmount] = useState('1000.00')
  const [base, setBase] = useState('EUR')
  const [quote, setQuote] = useState('USD')
  return (
    <Section title="Converter" description="With the rates that hold now, the way a transfer would use them.">
      <Stack gap="sm">
        <SimpleGrid cols={{ base: 1, xs: 3 }} spacing="sm">
          <AmountField label="Amount" currency={base} value={amount} onChange={setAmount} />
          <CurrencyField label="From" value={base} onChange={setBase} />
          <CurrencyField label="To" value={quote} onChange={setQuote} />
        </SimpleGrid>
        <ConversionPreview amount={amount} base={base} quote={quote} />
      </Stack>
    </Section>
  )
}
