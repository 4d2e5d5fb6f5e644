import {
  IconBan,
  IconDeviceMobileOff,
  IconEye,
  IconMailForward,
  IconPencil,
  IconPlayerPlay,
  IconTrash,
} from '@tabler/icons-react'
import { say } from '../../../src/words/say.ts'
import { type MenuAction, MoreMenu } from '../../components/more-menu.tsx'
import { useCan, useMe } from '../../lib/session.ts'
import { type UserAct, userActs } from './user-acts.ts'
import { isBelow } from './user-words.ts'
import type { User } from './users.api.ts'

type UserMenuProps = {
  user: User
  onEdit: (user: User) => void
  onAsk: (act: UserAct) => void
  onView: (user: User) => void
}

/** What may be done with a colleague, by their state; nothing with one above the reader. */
export const UserMenu = ({ user, onEdit, onAsk, onView }: UserMenuProps) => {
  const can = useCan()
  const me = useMe()
  if (!isBelow(user.roles, me.role)) return null
  const acts = userActs(user)
  const other = user.id !== me.id
  const otherActive = other && user.status === 'active'
  const actions: (MenuAction | false)[] = [
    { label: 'Edit', icon: <IconPencil size={16} />, onClick: () => onEdit(user) },
    user.status === 'invited' && {
      label: 'Send invitation again',
      icon: <IconMailForward size={16} />,
      onClick: () => onAsk(acts.resend),
    },
    user.status === 'disabled' && {
      label: 'Enable',
      icon: <IconPlayerPlay size={16} />,
      onClick: () => onAsk(acts.enable),
    },
    can('owner') &&
      otherActive && { label: say('views.act'), icon: <IconEye size={16} />, onClick: () => onView(user) },
    otherActive && {
      label: 'Reset two-step sign-in',
      icon: <IconDeviceMobileOff size={16} />,
      onClick: () => onAsk(acts.resetTwoFactor),
    },
    otherActive && {
      label: 'Disable',
      icon: <IconBan size={16} />,
      danger: true,
      onClick: () => onAsk(acts.disable),
    },
    other && { label: 'Delete', icon: <IconTrash size={16} />, danger: true, onClick: () => onAsk(acts.remove) },
  ]
  return <MoreMenu label={`Actions for ${user.displayName}`} actions={actions} />
}
