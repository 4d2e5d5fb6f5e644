import { Alert, Button, MultiSelect, SimpleGrid, Stack, Table, Text, TextInput } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type Answer, call } from '../../../api.ts'
import { AmountField } from '../../../components/forms/amount-field.tsx'
import { errorText } from '../../../components/page/error-state.tsx'
import { Money } from '../../../components/show/money.tsx'
import { groupInSentence } from '../../../lib/text/format.ts'
import { fetchPlans } from './affiliates.api.ts'
import { type PlanValues, planTerms } from './plan-values.ts'
import { say } from './words.ts'
import './affiliates.css'

const TRADE = { symbol: 'EURUSD', lots: '3', spread: '24', commission: '-12' }

const calculate = (values: PlanValues, { symbol, lots, spread, commission }: typeof TRADE, above: string[]) =>
  call('commissionPlans.calculate', {
    body: {
      ...planTerms(values),
      trade: {
        symbol: symbol.trim(),
        lots,
        ...(spread !== '' && { spread }),
        ...(commission !== '' && { commission }),
      },
      above,
    },
  })

/** Computes who would get what of a trade, and why, by the unsaved terms in the form. */
export const Calculator = ({ values, levels }: { values: PlanValues; levels: number }) => {
  const { currency } = values
  const plans = useQuery({ queryKey: ['plans', 'all'], queryFn: () => fetchPlans({ limit: 200 }) })
  const [trade, setTrade] = useState(TRADE)
  const [above, setAbove] = useState<string[]>([])
  const calculation = useMutation({ mutationFn: () => calculate(values, trade, above) })
  const set = (name: keyof typeof trade) => ({
    value: trade[name],
    onChange: (value: string) => setTrade((now) => ({ ...now, [name]: value })),
  })
  return (
    <div className="rule-box">
      <Stack gap="xs">
        <Text size="sm" fw={600}>
          {say('affiliates.calculator.title')}
        </Text>
        <SimpleGrid cols={{ base: 2, sm: 4 }} spacing="sm">
          <AmountField label={say('affiliates.line.lots')} describeAmount={(lots) => `= ${lots}`} {...set('lots')} />
          <TextInput
            label={say('affiliates.line.symbol')}
            value={trade.symbol}
            onChange={(event) => set('symbol').onChange(event.currentTarget.value)}
          />
          <AmountField label={say('affiliates.calculator.spread')} currency={currency} {...set('spread')} />
          <AmountField label={say('affiliates.calculator.commission')} currency={currency} {...set('commission')} />
        </SimpleGrid>
        <MultiSelect
          label={say('affiliates.calculator.above')}
          data={(plans.data?.data ?? []).map(({ id, name }) => ({ value: id, label: name }))}
          value={above}
          onChange={(next) => setAbove(next.slice(0, Math.max(0, levels - 1)))}
          searchable
        />
        <Button
          variant="default"
          loading={calculation.isPending}
          onClick={() => calculation.mutate()}
          style={{ alignSelf: 'flex-start' }}
        >
          {say('affiliates.calculator.calculate')}
        </Button>
        {calculation.error && (
          <Alert color="red" variant="light" role="alert">
            {errorText(calculation.error)}
          </Alert>
        )}
        {calculation.data && <CalculationResult result={calculation.data} />}
      </Stack>
    </div>
  )
}

/** Shows what each level gets, and the steps of the calculation. */
const CalculationResult = ({
  result: { levels, steps, currency },
}: {
  result: Answer<'commissionPlans.calculate'>
}) => (
  <Stack gap="xs" aria-live="polite">
    {levels.length > 0 && (
      <Table aria-label={say('affiliates.calculator.title')}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{say('affiliates.line.level')}</Table.Th>
            <Table.Th ta="right">{say('affiliates.explain.rate')}</Table.Th>
            <Table.Th ta="right">{say('affiliates.line.amount')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {levels.map(({ level, rate, amount: paid, cut }) => (
            <Table.Tr key={level}>
              <Table.Td>{level}</Table.Td>
              <Table.Td ta="right">{rate}</Table.Td>
              <Table.Td ta="right">
                <Money amount={paid} currency={currency} />
                {cut && (
                  <Text span size="xs" c="dimmed">
                    {' '}
                    {say('affiliates.note.cut')}
                  </Text>
                )}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    )}
    <ol className="steps">
      {steps.map((step) => (
        <li key={step}>{groupInSentence(step)}</li>
      ))}
    </ol>
  </Stack>
)
