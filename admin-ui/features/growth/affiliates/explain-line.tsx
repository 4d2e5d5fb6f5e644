import { Alert, Stack, Title } from '@mantine/core'
import { IconCircleCheck, IconInfoCircle } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Loaded } from '../../../components/page/loaded.tsx'
import { RecordDrawer } from '../../../components/page/record-drawer.tsx'
import { Facts } from '../../../components/page/record-page.tsx'
import { When } from '../../../components/show/moment.tsx'
import { Money } from '../../../components/show/money.tsx'
import { ALL } from '../../../lib/lists/filters.ts'
import { WIDE_DRAWER } from '../../../lib/screen/drawer-widths.ts'
import { groupDigits, groupInSentence, humanize } from '../../../lib/text/format.ts'
import { AffiliateLink } from './affiliate-name.tsx'
import { MODEL_LABELS, NOTE_LABELS, rateText, SOURCE_LABELS } from './affiliate-words.tsx'
import { type Explained, explainLine, type Line } from './affiliates.api.ts'
import { usePlanName } from './plan-list.tsx'
import { say } from './words.ts'
import './affiliates.css'

const INPUT_LABELS: Readonly<Record<string, string>> = {
  symbol: say('affiliates.line.symbol'),
  lots: say('affiliates.line.lots'),
  currency: say('affiliates.form.currency'),
  spread: say('affiliates.calculator.spread'),
  commission: say('affiliates.calculator.commission'),
  swap: say('affiliates.explain.swap'),
  deposit: say('affiliates.source.deposit'),
  month: say('affiliates.explain.month'),
}

const versionText = (plan: string | null, number: number): string =>
  plan === null
    ? say('affiliates.explain.version_number', { number })
    : say('affiliates.explain.version_of', { plan, number })

type ExplainLineProps = {
  line: Line
  /** Names the affiliate, for pages other than the affiliate's own. */
  withAffiliate: boolean
  onClose: () => void
}

/** Shows how a line was computed, step by step, and whether its source still gives the same amount. */
export const ExplainLine = ({ line, withAffiliate, onClose }: ExplainLineProps) => {
  const explained = useQuery({ queryKey: ['commissions', 'explain', line.id], queryFn: () => explainLine(line.id) })
  const { amount, currency, model, note } = line
  return (
    <RecordDrawer opened onClose={onClose} title={say('affiliates.explain.title')} size={WIDE_DRAWER}>
      <Stack>
        <Facts
          items={[
            [
              say('affiliates.payout.affiliate'),
              withAffiliate ? <AffiliateLink key="affiliate" id={line.affiliateId} /> : undefined,
            ],
            [say('affiliates.line.amount'), <Money key="amount" amount={amount} currency={currency} fw={600} />],
            [say('affiliates.line.source'), <Source key="source" line={line} />],
            [say('affiliates.line.when'), <When key="when" at={line.occurredAt} />],
            [say('affiliates.line.model'), MODEL_LABELS[model]],
            [say('affiliates.line.level'), line.level],
            [say('affiliates.explain.rate'), rateText(line, currency)],
            [say('affiliates.explain.note'), note ? NOTE_LABELS[note] : undefined],
          ]}
        />
        <Loaded query={explained}>{(explained) => <Explanation explained={explained} currency={currency} />}</Loaded>
      </Stack>
    </RecordDrawer>
  )
}

/** Names the source of a line; a trade leads to its position. */
const Source = ({ line: { sourceType, sourceId } }: { line: Line }) =>
  sourceId === null ? (
    SOURCE_LABELS[sourceType]
  ) : (
    <Link to="/positions" search={{ q: sourceId, status: ALL }} className="text-link">
      {SOURCE_LABELS[sourceType]}
    </Link>
  )

/** Shows the steps that led to the amount, their inputs, and what the source gives today. */
const Explanation = ({ explained, currency }: { explained: Explained; currency: string }) => {
  const planName = usePlanName()
  const { steps, inputs, planVersion, recomputed, equal } = explained
  return (
    <Stack>
      {equal ? (
        <Alert color="green" variant="light" icon={<IconCircleCheck size={18} />} role="status">
          {say('affiliates.explain.equal')}
        </Alert>
      ) : (
        <Alert color="yellow" variant="light" icon={<IconInfoCircle size={18} />} role="status">
          {recomputed === null
            ? say('affiliates.explain.gone')
            : say('affiliates.explain.differs', { amount: groupDigits(recomputed), currency })}
        </Alert>
      )}
      <div>
        <Title order={3} size="h5" mb={6}>
          {say('affiliates.explain.steps')}
        </Title>
        <ol className="steps">
          {steps.map((step) => (
            <li key={step}>{groupInSentence(step)}</li>
          ))}
        </ol>
      </div>
      <div>
        <Title order={3} size="h5" mb={6}>
          {say('affiliates.explain.inputs')}
        </Title>
        <Facts
          items={[
            ...Object.entries(inputs)
              .filter(([key]) => !/At$/.test(key))
              .map(([key, value]) => [INPUT_LABELS[key] ?? humanize(key), groupDigits(value)] as const),
            [say('affiliates.explain.version'), versionText(planName(planVersion.planId), planVersion.number)],
          ]}
        />
      </div>
    </Stack>
  )
}
