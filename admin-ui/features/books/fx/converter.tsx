import { SegmentedControl, SimpleGrid, Stack } from '@mantine/core'
import { useState } from 'react'
import { AmountField } from '../../../components/forms/amount-field.tsx'
import { CurrencyField } from '../../../components/forms/money-fields.tsx'
import { Section } from '../../../components/page/section.tsx'
import { ConversionPreview } from './conversion-preview.tsx'
import type { Converting } from './fx.api.ts'
import { say } from './words.ts'

const WHO: { value: Converting; label: string }[] = [
  { value: 'staff', label: say('fx.converter.staff') },
  { value: 'client', label: say('fx.converter.client') },
]

/** Shows what the current rates make of an amount; nothing is booked. */
export const Converter = () => {
  const [amount, setAmount] = useState('1000.00')
  const [base, setBase] = useState('EUR')
  const [quote, setQuote] = useState('USD')
  const [who, setWho] = useState<Converting>('staff')
  return (
    <Section title={say('fx.converter')} description={say('fx.converter.about')}>
      <Stack gap="sm">
        <SimpleGrid cols={{ base: 1, xs: 3 }} spacing="sm">
          <AmountField label={say('common.amount')} currency={base} value={amount} onChange={setAmount} />
          <CurrencyField label={say('fx.converter.from')} value={base} onChange={setBase} />
          <CurrencyField label={say('fx.converter.to')} value={quote} onChange={setQuote} />
        </SimpleGrid>
        <SegmentedControl
          aria-label={say('fx.converter.who')}
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
