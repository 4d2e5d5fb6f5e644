import { SimpleGrid, Stack, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { AmountField } from '../../../components/forms/amount-field.tsx'
import { CurrencyField } from '../../../components/forms/money-fields.tsx'
import { errorText } from '../../../components/page/error-state.tsx'
import { Section } from '../../../components/page/section.tsx'
import { compareDecimal, isDecimal } from '../../../lib/text/decimal.ts'
import { groupDigits, groupInSentence } from '../../../lib/text/format.ts'
import { type ApprovalPolicy, fetchApprovalPolicy } from './policies.api.ts'
import { say } from './words.ts'

type Simulation = NonNullable<ApprovalPolicy['simulation']>

const people = ({ approvals, adminNeeded }: Simulation): string => {
  if (approvals === 1) return say('settings.simulator.one_person')
  return say('settings.simulator.people', { approvals, adminNeeded: String(Boolean(adminNeeded)) })
}

const describeSimulation = (
  { amount, currency, comparedAmount, reason }: Simulation,
  limitCurrency?: string,
): string => {
  const [asked, why] = [`${groupDigits(amount)} ${currency}`, groupInSentence(reason)]
  return comparedAmount && limitCurrency && currency !== limitCurrency
    ? say('settings.simulator.compared', { asked, comparedAmount: groupDigits(comparedAmount), limitCurrency, why })
    : `${asked}: ${why}.`
}

/** Answers “Who would have to approve 12,000 EUR?”, and asks again for each `version` of the saved policy. */
export const ApprovalSimulator = ({ currency: usual, version }: { currency: string; version: number }) => {
  const [amount, setAmount] = useState('12000.00')
  const [currency, setCurrency] = useState(usual)
  const [asked] = useDebouncedValue(`${amount} ${currency}`, 400)
  const [askedAmount = '', askedCurrency = ''] = asked.split(' ')
  const usable = isDecimal(askedAmount) && compareDecimal(askedAmount, '0') > 0 && askedCurrency.length >= 3
  const found = useQuery({
    queryKey: ['approval-policy', 'simulate', version, asked],
    queryFn: () => fetchApprovalPolicy({ amount: askedAmount, currency: askedCurrency }),
    enabled: usable,
    placeholderData: keepPreviousData,
    retry: false,
  })
  const simulation = found.data?.simulation
  return (
    <Section title={say('settings.simulator.title')} description={say('settings.simulator.about')}>
      <Stack gap="sm">
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
          <AmountField
            label={say('settings.simulator.withdrawal')}
            currency={currency}
            value={amount}
            onChange={setAmount}
          />
          <CurrencyField value={currency} onChange={setCurrency} />
        </SimpleGrid>
        <div className="conversion" aria-live="polite">
          {!usable && (
            <Text size="sm" c="dimmed">
              {say('settings.simulator.empty')}
            </Text>
          )}
          {usable && found.isError && (
            <Text size="sm" className="error-text">
              {errorText(found.error)}
            </Text>
          )}
          {usable && simulation && (
            <>
              <Text size="sm" fw={600}>
                {people(simulation)}
              </Text>
              <Text size="xs" c="dimmed">
                {describeSimulation(simulation, found.data?.currency)}
              </Text>
            </>
          )}
        </div>
      </Stack>
    </Section>
  )
}
