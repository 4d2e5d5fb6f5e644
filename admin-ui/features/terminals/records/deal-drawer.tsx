import { Stack, Title } from '@mantine/core'
import { RecordDrawer } from '../../../components/page/record-drawer.tsx'
import { Facts } from '../../../components/page/record-page.tsx'
import { JsonDiff } from '../../../components/show/json-diff.tsx'
import { Labels } from '../../../components/show/labels.tsx'
import { When } from '../../../components/show/moment.tsx'
import { Money } from '../../../components/show/money.tsx'
import { groupDigits } from '../../../lib/text/format.ts'
import { DEAL_ENTRIES, DEAL_KINDS, DEAL_SIDES, DEAL_STATES, DealState, nameDealField } from './deal-words.tsx'
import { LoginLink } from './login-link.tsx'
import type { Deal } from './records.api.ts'
import { say } from './words.ts'

/** The words of those fields that have some. */
const VALUES: Readonly<Record<string, Readonly<Record<string, string | { label: string }>>>> = {
  kind: DEAL_KINDS,
  entry: DEAL_ENTRIES,
  side: DEAL_SIDES,
  state: DEAL_STATES,
}
const nameValue = (text: string, key: string): string | null => {
  const word = VALUES[key]?.[text]
  return typeof word === 'object' ? word.label : (word ?? null)
}

/** Shows one deal as it was read, and what it said before. */
export const DealDrawer = ({ deal, onClose }: { deal: Deal; onClose: () => void }) => {
  const { number, currency, symbol } = deal
  const money = (amount: string) => <Money amount={amount} currency={currency} />
  const plain = (amount: string | null) => (amount === null ? undefined : groupDigits(amount))
  return (
    <RecordDrawer opened onClose={onClose} title={say('terminals.deal.title', { number })}>
      <Stack gap="lg">
        {deal.revisions.length > 0 && <Revisions deal={deal} />}
        <Facts
          items={[
            [say('common.state'), <DealState key="state" state={deal.state} />],
            [say('terminals.deal.at'), <When key="at" at={deal.at} as="second" />],
            [
              say('terminals.record.login'),
              <LoginLink key="login" connectionId={deal.connectionId} login={deal.login} />,
            ],
            [say('terminals.deal.kind'), DEAL_KINDS[deal.kind]],
            [say('terminals.deal.entry'), deal.entry ? DEAL_ENTRIES[deal.entry] : undefined],
            [say('terminals.deal.symbol'), symbol ?? undefined],
            [say('terminals.deal.side'), deal.side ? DEAL_SIDES[deal.side] : undefined],
            [say('terminals.deal.lots'), symbol === null ? undefined : groupDigits(deal.lots)],
            [say('terminals.deal.lots_closed'), plain(deal.lotsClosed)],
            [say('terminals.deal.price'), plain(deal.price)],
            [say('terminals.deal.profit'), money(deal.profit)],
            [say('terminals.deal.swap'), money(deal.swap)],
            [say('terminals.deal.commission'), money(deal.commission)],
            [say('terminals.deal.fee'), money(deal.fee)],
            [say('terminals.deal.spread'), deal.spread === null ? undefined : money(deal.spread)],
            [say('terminals.deal.position'), deal.position ?? undefined],
            [say('terminals.deal.order'), deal.orderNumber ?? undefined],
            [say('terminals.deal.reason'), deal.reason],
            [say('terminals.deal.comment'), deal.comment],
            [
              say('terminals.deal.flags'),
              deal.flags.length > 0 ? <Labels key="flags" values={deal.flags} /> : undefined,
            ],
            [say('terminals.deal.technical'), deal.technical ? say('parts.value.true') : undefined],
          ]}
        />
      </Stack>
    </RecordDrawer>
  )
}

/** Returns each change of a deal, the newest first, with the values before and after it. */
export function listChanges({ revisions, ...now }: Deal) {
  let known: Readonly<Record<string, unknown>> = { ...now }
  return revisions.map(({ revision, at, was }) => {
    const before: Record<string, unknown> = { ...was }
    const after = Object.fromEntries(Object.keys(before).map((key) => [key, known[key]]))
    known = { ...known, ...before }
    return { revision, at, before, after }
  })
}

const Revisions = ({ deal }: { deal: Deal }) => (
  <section>
    <Title order={3} size="h5" mb="sm">
      {say('terminals.deal.revisions')}
    </Title>
    <Stack gap="md">
      {listChanges(deal).map(({ revision, at, before, after }) => (
        <div key={revision}>
          <div className="dim">
            {say('terminals.deal.revision', { number: revision })} <When at={at} as="second" />
          </div>
          <JsonDiff before={before} after={after} findName={nameValue} nameField={nameDealField} />
        </div>
      ))}
    </Stack>
  </section>
)
