import { Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type Column, DataList } from '../../../components/lists/data-list.tsx'
import { EmptyState } from '../../../components/page/empty-state.tsx'
import { When } from '../../../components/show/moment.tsx'
import { useCan } from '../../../lib/api/session.ts'
import { MODEL_LABELS, rateText } from './affiliate-words.tsx'
import { fetchPlans, type Plan, type Rule } from './affiliates.api.ts'
import { PlanForm } from './plan-form.tsx'
import { say } from './words.ts'

/** Returns a function that finds a plan's name by id; it finds none for a reader who may not read plans. */
export function usePlanName(): (id: string | null) => string | null {
  const can = useCan()
  const { data } = useQuery({
    queryKey: ['plans', 'all'],
    queryFn: () => fetchPlans({ limit: 200 }),
    enabled: can('manager'),
  })
  const names = new Map((data?.data ?? []).map(({ id, name }) => [id, name]))
  return (id) => (id === null ? null : (names.get(id) ?? null))
}

/** Returns a rule in one line: `By the lot, XAU*: 6.00 EUR a lot`. */
const ruleText = (rule: Rule, currency: string): string => {
  const rate = rateText(rule, currency)
  const everything = rule.symbols.includes('*')
  if (rule.model === 'cpa' || everything)
    return say('affiliates.plan.rule_all', { model: MODEL_LABELS[rule.model], rate })
  return say('affiliates.plan.rule', { model: MODEL_LABELS[rule.model], symbols: rule.symbols.join(', '), rate })
}

const COLUMNS: readonly Column<Plan>[] = [
  { key: 'name', title: say('affiliates.plan.name'), render: ({ name }) => name },
  {
    key: 'rules',
    title: say('affiliates.plan.rules'),
    render: ({ versions: [newest] }) =>
      newest && (
        <Stack gap={2}>
          {newest.rules.slice(0, 3).map((rule) => (
            <Text size="sm" key={`${rule.model} ${rule.symbols.join()} ${rule.rate}`}>
              {ruleText(rule, newest.currency)}
            </Text>
          ))}
          {newest.rules.length > 3 && (
            <Text size="xs" c="dimmed">
              {say('affiliates.plan.more_rules', { count: newest.rules.length - 3 })}
            </Text>
          )}
        </Stack>
      ),
    renderCard: ({ versions: [newest] }) => newest?.rules.map((rule) => ruleText(rule, newest.currency)).join(' · '),
  },
  {
    key: 'version',
    title: say('affiliates.plan.version'),
    align: 'right',
    wide: true,
    render: ({ versions }) => versions[0]?.number,
  },
  {
    key: 'since',
    title: say('affiliates.plan.since'),
    wide: true,
    render: ({ versions: [newest] }) => newest && <When at={newest.validFrom} />,
  },
]

/** Lists the plans by which affiliates earn. */
export const PlanList = () => {
  return (
    <DataList
      id="plans"
      label={say('affiliates.tab.plans')}
      fetch={fetchPlans}
      columns={COLUMNS}
      beside={(plan, close) => <PlanForm plan={plan} onClose={close} />}
      empty={<EmptyState title={say('affiliates.plan.none')}>{say('affiliates.plan.none_text')}</EmptyState>}
    />
  )
}
