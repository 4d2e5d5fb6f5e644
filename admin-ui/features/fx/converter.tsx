import { SegmentedControl, SimpleGrid, Stack } from '@mantine/core'
import { useState } from 'react'
import { AmountField } from '../../components/amount-field.tsx'
import { CurrencyField } from '../../components/money-fields.tsx'
import { Section } from '../../components/section.tsx'
import { ConversionPreview } from './conversion-preview.tsx'
import type { Converting } from './fx.api.ts'

const WHO: { value: Converting; label: string }[] = [
  { value: 'staff', label: 'By staff' },
  { value: 'client', label: 'By the client alone' },
]

/** Tries out what the rates make of an amount. */
export const Converter = () => {
  const [amount, setAmount] = useState('1000.00')
  const [base, setBase] = useState('EUR')
  const [quote, setQuote] = useState('USD')
  const [who, setWho] = useState<Converting>('staff')
  return (
    <Section
      title="Converter"
      description="With the rates that hold now, the way a transfer would use them. A client alone pays your firm’s spread and needs prices that are not too old."
    >
      <Stack gap="sm">
        <SimpleGrid cols={{ base: 1, xs: 3 }} spacing="sm">
          <AmountField label="Amount" currency={base} value={amount} onChange={setAmount} />
          <CurrencyField label="From" value={base} onChange={setBase} />
          <CurrencyField label="To" value={quote} onChange={setQuote} />
        </SimpleGrid>
        <SegmentedControl
          aria-label="Who converts"
          data={WHO}
          value={who}
          onChange={(value) => setWho(value)}
          style={{ alignSelf: 'flex-start' }}
        />
        <ConversionPreview amount={amount} base={base} quote={quote} who={who} />
      </Stack>
    </Section>
  )
}
