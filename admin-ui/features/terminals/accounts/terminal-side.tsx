import { Alert, Button, Stack, Table, Text } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Loaded } from '../../../components/page/loaded.tsx'
import { Facts } from '../../../components/page/record-page.tsx'
import { Section } from '../../../components/page/section.tsx'
import { When } from '../../../components/show/moment.tsx'
import { Money } from '../../../components/show/money.tsx'
import { orDash } from '../../../components/show/or-dash.tsx'
import { StatusBadge } from '../../../components/show/status-badge.tsx'
import { useCan } from '../../../lib/api/session.ts'
import type { Account } from '../../books/accounts/accounts.api.ts'
import { LOGIN_STATES } from '../records/login-words.tsx'
import { findFree, type TerminalAccount, useTerminalAccount } from './account.api.ts'
import { say } from './words.ts'
import './account-page.css'

/** Shows what we have of an account beside what its trading server says of it. */
export const TerminalSide = ({ account }: { account: Account }) => {
  const said = useTerminalAccount(account.id)
  return (
    <Section
      title={say('terminals.account.sides')}
      actions={
        said.data && (
          <Button
            variant="default"
            size="xs"
            leftSection={<IconRefresh size={14} />}
            loading={said.isFetching}
            onClick={() => void said.refetch()}
          >
            {say('terminals.account.ask_again')}
          </Button>
        )
      }
    >
      <Loaded query={said}>{(found) => (found ? <Sides found={found} /> : <OursAlone account={account} />)}</Loaded>
    </Section>
  )
}

/** Shows what was reported of an account that no connected server has. */
const OursAlone = ({ account: { balance, equity, currency, leverage } }: { account: Account }) => (
  <Stack gap="md">
    <Text size="sm">{say('terminals.account.not_connected')}</Text>
    <Facts
      items={[
        [say('terminals.login.balance'), <Money key="balance" amount={balance} currency={currency} />],
        [say('terminals.login.equity'), <Money key="equity" amount={equity} currency={currency} />],
        [say('terminals.login.leverage'), say('terminals.login.leverage_value', { leverage })],
      ]}
    />
  </Stack>
)

type Line = { name: string; ours: ReactNode; theirs: ReactNode; differs: boolean }

const listLines = ({ ours, theirs, differs }: TerminalAccount): Line[] => {
  const money = (amount: string | null, currency: string) => amount && <Money amount={amount} currency={currency} />
  const amounts = (key: 'balance' | 'equity') => ({
    ours: money(ours[key], ours.currency),
    theirs: money(theirs[key], theirs.currency),
    differs: differs.includes(key),
  })
  const leverage = (value: number) => say('terminals.login.leverage_value', { leverage: value })
  return [
    { name: say('terminals.login.balance'), ...amounts('balance') },
    { name: say('terminals.login.equity'), ...amounts('equity') },
    {
      name: say('common.currency'),
      ours: ours.currency,
      theirs: theirs.currency,
      differs: differs.includes('currency'),
    },
    {
      name: say('terminals.login.leverage'),
      ours: leverage(ours.leverage),
      theirs: leverage(theirs.leverage),
      differs: differs.includes('leverage'),
    },
  ]
}

const Sides = ({ found }: { found: TerminalAccount }) => (
  <Stack gap="md">
    <Notice found={found} />
    <Table className="sides" aria-label={say('terminals.account.sides')} verticalSpacing={6} layout="fixed">
      <Table.Thead>
        <Table.Tr>
          <Table.Th aria-label={say('terminals.account.field')} />
          <Table.Th>
            {say('terminals.account.ours')}
            <SideTime at={found.ours.at} />
          </Table.Th>
          <Table.Th>
            <ServerName found={found} />
            <SideTime at={found.at} />
          </Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {listLines(found).map(({ name, ours, theirs, differs }) => (
          <Table.Tr key={name} data-differs={differs || undefined}>
            <Table.Th scope="row">{name}</Table.Th>
            <Table.Td>{orDash(ours)}</Table.Td>
            <Table.Td>
              {orDash(theirs)}
              {differs && (
                <div>
                  <StatusBadge status="differs" label={say('terminals.account.differs')} tone="wait" />
                </div>
              )}
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
    <TheirsAlone found={found} />
  </Stack>
)

/** Lists what the server alone knows of an account. */
const TheirsAlone = ({ found: { theirs } }: { found: TerminalAccount }) => {
  const { credit, marginFree, currency, group } = theirs
  const flag = (may: boolean) => say(may ? 'parts.value.true' : 'parts.value.false')
  return (
    <Facts
      items={[
        [
          say('terminals.account.free'),
          <div key="free">
            <Money amount={findFree(theirs)} currency={currency} />
            <div className="side-note">{say('terminals.account.free_why')}</div>
          </div>,
        ],
        [say('terminals.login.margin'), marginFree && <Money key="margin" amount={marginFree} currency={currency} />],
        [say('terminals.login.credit'), <Money key="credit" amount={credit} currency={currency} />],
        [
          say('terminals.login.group'),
          <span key="group" className="clip">
            {group}
          </span>,
        ],
        [say('terminals.login.trade'), flag(theirs.mayTrade)],
        [say('terminals.login.sign_in'), flag(theirs.maySignIn)],
      ]}
    />
  )
}

const SideTime = ({ at }: { at: string | null }) => (
  <div className="side-note">
    <When at={at} as="second" />
  </div>
)

/** Heads the server's column; those who may see the connection are led to it. */
const ServerName = ({ found: { connectionId } }: { found: TerminalAccount }) => {
  const name = say('terminals.form.server')
  if (!useCan()('operator')) return name
  return (
    <Link to="/platforms/$id" params={{ id: connectionId }} className="text-link">
      {name}
    </Link>
  )
}

/** Says why the words of the server are not those of now. */
const Notice = ({ found: { state, asked } }: { found: TerminalAccount }) => {
  if (state !== 'there')
    return (
      <Alert color="red" variant="light" title={LOGIN_STATES[state].label}>
        {say(`terminals.account.state.${state}`)}
      </Alert>
    )
  if (asked) return null
  return (
    <Alert color="yellow" variant="light">
      {say('terminals.account.not_asked')}
    </Alert>
  )
}
