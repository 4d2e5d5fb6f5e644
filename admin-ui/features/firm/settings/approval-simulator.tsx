import { Select, SimpleGrid, Stack, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { AmountField } from '../../../components/forms/amount-field.tsx'
import { CurrencyField } from '../../../components/forms/money-fields.tsx'
import { errorText } from '../../../components/page/error-state.tsx'
import { Section } from '../../../components/page/section.tsx'
import { StatusBadge, type Tone } from '../../../components/show/status-badge.tsx'
import { ROLE_LABELS } from '../../../lib/api/session.ts'
import { choices } from '../../../lib/text/choices.ts'
import { compareDecimal, isDecimal } from '../../../lib/text/decimal.ts'
import { groupDigits, groupInSentence } from '../../../lib/text/format.ts'
import { useStaff } from '../users/users.api.ts'
import { KIND_WORDS } from './approval-rules.tsx'
import { type ApprovalPolicy, fetchApprovalPolicy } from './policies.api.ts'
import { say } from './words.ts'

type Simulation = NonNullable<ApprovalPolicy['simulation']>
type Kind = Simulation['kind']
type Approver = Simulation['people'][number]

const KINDS = choices(KIND_WORDS)
const isKind = (value: string | null): value is Kind => value !== null && Object.hasOwn(KIND_WORDS, value)
/** The option that the client, and no colleague, created the payment. */
const CLIENT = 'client'

const describePeople = ({ approvals, adminNeeded, kind }: Simulation): string => {
  if (approvals === 0) return say('settings.simulator.impossible')
  if (approvals === 1) return say('settings.simulator.one_person', { adminNeeded: String(adminNeeded) })
  return say('settings.simulator.people', {
    approvals,
    admins: kind === 'payout' ? 'all' : adminNeeded ? 'one' : 'none',
  })
}

const MAY: Record<Approver['may'], { label: string; tone: Tone }> = {
  alone: { label: say('settings.simulator.may.alone'), tone: 'good' },
  together: { label: say('settings.simulator.may.together'), tone: 'wait' },
  second: { label: say('settings.simulator.may.second'), tone: 'wait' },
  no: { label: say('settings.simulator.may.no'), tone: 'off' },
}

const WHY: Record<NonNullable<Approver['why']>, string> = {
  impossible: say('settings.simulator.why.impossible'),
  role: say('settings.simulator.why.role'),
  password: say('settings.simulator.why.password'),
  account: say('settings.simulator.why.account'),
  creator: say('settings.simulator.why.creator'),
}

/** Lists the colleagues with whether each may approve, and why not. */
const Approvers = ({ people }: Pick<Simulation, 'people'>) => (
  <ul className="rows boxed" aria-label={say('settings.simulator.approvers')}>
    {people.map(({ userId, name, role, may, why }) => (
      <li key={userId} className="row">
        <div className="row-main">
          <div>
            {name} <span className="dim">· {ROLE_LABELS[role]}</span>
          </div>
          {why && <div className="row-sub">{WHY[why]}</div>}
        </div>
        <StatusBadge status={may} {...MAY[may]} />
      </li>
    ))}
  </ul>
)

const describeSimulation = (
  { amount, currency, comparedAmount, reason }: Simulation,
  limitCurrency?: string,
): string => {
  const [asked, why] = [`${groupDigits(amount)} ${currency}`, groupInSentence(reason)]
  return comparedAmount && limitCurrency && currency !== limitCurrency
    ? say('settings.simulator.compared', { asked, comparedAmount: groupDigits(comparedAmount), limitCurrency, why })
    : `${asked}: ${why}.`
}

type Asked = { amount: string; currency: string; kind: Kind; by: string | null }

/** Asks the server who would have to approve, once the amount has not changed for a moment. */
function useSimulation({ amount, currency, kind, by }: Asked, version: number) {
  const [asked] = useDebouncedValue(`${amount} ${currency}`, 400)
  const [askedAmount = '', askedCurrency = ''] = asked.split(' ')
  const usable = isDecimal(askedAmount) && compareDecimal(askedAmount, '0') > 0 && askedCurrency.length >= 3
  const found = useQuery({
    queryKey: ['approval-policy', 'simulate', version, asked, kind, by],
    queryFn: () =>
      fetchApprovalPolicy({ amount: askedAmount, currency: askedCurrency, kind, ...(by !== null && { by }) }),
    enabled: usable,
    placeholderData: keepPreviousData,
    retry: false,
  })
  return { usable, found }
}

/** Shows who would have to approve, or why there is no answer. */
const Outcome = ({ usable, found }: ReturnType<typeof useSimulation>) => {
  const simulation = found.data?.simulation
  return (
    <>
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
              {describePeople(simulation)}
            </Text>
            <Text size="xs" c="dimmed">
              {describeSimulation(simulation, found.data?.currency)}
            </Text>
          </>
        )}
      </div>
      {usable && simulation && <Approvers people={simulation.people} />}
    </>
  )
}

/** Answers “Who would have to approve 12,000 EUR?”, and asks again for each `version` of the saved policy. */
export const ApprovalSimulator = ({ currency: usual, version }: { currency: string; version: number }) => {
  const [amount, setAmount] = useState('12000.00')
  const [currency, setCurrency] = useState(usual)
  const [kind, setKind] = useState<Kind>('withdrawal')
  const [creator, setCreator] = useState(CLIENT)
  const { options } = useStaff()
  const byClient = creator === CLIENT || kind === 'client_deposit'
  const simulated = useSimulation({ amount, currency, kind, by: byClient ? null : creator }, version)
  const creatorLabel =
    kind === 'account_transfer' ? say('settings.simulator.linked_by') : say('settings.simulator.created_by')
  return (
    <Section title={say('settings.simulator.title')} description={say('settings.simulator.about')}>
      <Stack gap="sm">
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
          <Select
            label={say('settings.simulator.kind')}
            data={KINDS}
            value={kind}
            allowDeselect={false}
            onChange={(value) => isKind(value) && setKind(value)}
          />
          <Select
            label={creatorLabel}
            data={[{ value: CLIENT, label: say('settings.simulator.nobody') }, ...options]}
            value={byClient ? CLIENT : creator}
            disabled={kind === 'client_deposit'}
            allowDeselect={false}
            searchable
            onChange={(value) => setCreator(value ?? CLIENT)}
          />
          <AmountField label={say('common.amount')} currency={currency} value={amount} onChange={setAmount} />
          <CurrencyField value={currency} onChange={setCurrency} />
        </SimpleGrid>
        <Outcome {...simulated} />
      </Stack>
    </Section>
  )
}
