import { Text } from '@mantine/core'
import { IconArrowBarRight, IconArrowBarToRight, IconPencil, IconTrash } from '@tabler/icons-react'
import { ActButton } from '../../../components/page/act-button.tsx'
import { MoreMenu } from '../../../components/page/more-menu.tsx'
import { When } from '../../../components/show/moment.tsx'
import { Money } from '../../../components/show/money.tsx'
import { useCan } from '../../../lib/api/session.ts'
import { useAsked } from '../../../lib/forms/use-asked.ts'
import { AccountForm } from '../../books/accounts/account-form.tsx'
import type { NamedAccount } from '../../books/accounts/accounts.api.ts'
import { DeleteAccount } from '../../books/accounts/delete-account.tsx'
import { CreateTransfer } from '../../books/transfers/create-transfer.tsx'
import { shownName } from '../../clients/traders/trader-names.ts'
import { findFree, useTerminalAccount } from './account.api.ts'
import { say, tell } from './words.ts'

type DialogProps = { account: NamedAccount; onClose: () => void; onGone: () => Promise<void> }

const MoveMoney = ({ account, onClose, side }: Omit<DialogProps, 'onGone'> & { side: 'from' | 'to' }) => (
  <CreateTransfer
    trader={{ id: account.traderId, name: shownName(account.traderName) }}
    chosen={{ side, accountId: account.id }}
    beside={<FreeThere accountId={account.id} />}
    onClose={onClose}
  />
)

/** The dialogs of the acts on an account. */
const DIALOGS = {
  fund: (props: DialogProps) => <MoveMoney {...props} side="to" />,
  take: (props: DialogProps) => <MoveMoney {...props} side="from" />,
  edit: ({ account, onClose }: DialogProps) => <AccountForm account={account} onClose={onClose} />,
  remove: DeleteAccount,
} as const
type Dialog = keyof typeof DIALOGS

type AccountActsProps = { account: NamedAccount; onGone: () => Promise<void> }

/** Offers operators the acts on an account, and managers those that take money out or delete it. */
export const AccountActs = ({ account, onGone }: AccountActsProps) => {
  const can = useCan()
  const { asked, record, ask, close } = useAsked<Dialog, NamedAccount>(account)
  if (!can('operator')) return null
  const Dialog = asked && DIALOGS[asked]
  const takesMoney = !account.isDemo && account.status === 'active'
  return (
    <>
      {takesMoney && (
        <ActButton hotkey="m" leftSection={<IconArrowBarToRight size={16} />} onClick={() => ask('fund')}>
          {say('terminals.account.fund')}
        </ActButton>
      )}
      <MoreMenu
        label={say('terminals.act.more')}
        wide
        actions={[
          takesMoney &&
            can('manager') && {
              label: say('terminals.account.take'),
              icon: <IconArrowBarRight size={16} />,
              onClick: () => ask('take'),
            },
          { label: say('common.edit'), icon: <IconPencil size={16} />, onClick: () => ask('edit') },
          can('manager') && {
            label: say('terminals.account.delete'),
            icon: <IconTrash size={16} />,
            danger: true,
            onClick: () => ask('remove'),
          },
        ]}
      />
      {Dialog && <Dialog account={record} onClose={close} onGone={onGone} />}
    </>
  )
}

/** Says what can be taken out of an account, and why not more. */
const FreeThere = ({ accountId }: { accountId: string }) => {
  const { data: said } = useTerminalAccount(accountId)
  if (!said) return null
  const { theirs, at } = said
  const money = (amount: string) => <Money amount={amount} currency={theirs.currency} />
  const { marginFree } = theirs
  return (
    <Text size="sm" c="dimmed">
      {marginFree === null
        ? tell('terminals.account.free_idle', { free: money(findFree(theirs)), at: <When at={at} as="second" /> })
        : tell('terminals.account.free_of', {
            free: money(findFree(theirs)),
            balance: money(theirs.balance),
            margin: money(marginFree),
            credit: money(theirs.credit),
            at: <When at={at} as="second" />,
          })}
    </Text>
  )
}
