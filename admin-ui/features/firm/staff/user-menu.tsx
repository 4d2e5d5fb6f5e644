import {
  IconBan,
  IconDeviceMobileOff,
  IconEye,
  IconMailForward,
  IconPencil,
  IconPlayerPlay,
  IconTrash,
} from '@tabler/icons-react'
import { type MenuAction, MoreMenu } from '../../../components/page/more-menu.tsx'
import { useCan, useMe } from '../../../lib/api/session.ts'
import { isBelow } from '../users/user-words.ts'
import type { User } from '../users/users.api.ts'
import { type UserAct, userActs } from './user-acts.ts'
import { say } from './words.ts'

type UserMenuProps = {
  user: User
  onEdit: (user: User) => void
  onAsk: (act: UserAct) => void
  onView: (user: User) => void
}

/** Offers the acts on a colleague that their state allows; none on a colleague above the reader. */
export const UserMenu = ({ user, onEdit, onAsk, onView }: UserMenuProps) => {
  const can = useCan()
  const me = useMe()
  if (!isBelow(user.roles, me.role)) return null
  const acts = userActs(user)
  const other = user.id !== me.id
  const otherActive = other && user.status === 'active'
  const actions: (MenuAction | false)[] = [
    { label: say('common.edit'), icon: <IconPencil size={16} />, onClick: () => onEdit(user) },
    user.status === 'invited' && {
      label: say('users.resend.action'),
      icon: <IconMailForward size={16} />,
      onClick: () => onAsk(acts.resend),
    },
    user.status === 'disabled' && {
      label: say('users.enable'),
      icon: <IconPlayerPlay size={16} />,
      onClick: () => onAsk(acts.enable),
    },
    can('owner') &&
      otherActive && { label: say('parts.view_as'), icon: <IconEye size={16} />, onClick: () => onView(user) },
    otherActive && {
      label: say('users.reset.title'),
      icon: <IconDeviceMobileOff size={16} />,
      onClick: () => onAsk(acts.resetTwoFactor),
    },
    otherActive && {
      label: say('users.disable'),
      icon: <IconBan size={16} />,
      danger: true,
      onClick: () => onAsk(acts.disable),
    },
    other && {
      label: say('users.delete.action'),
      icon: <IconTrash size={16} />,
      danger: true,
      onClick: () => onAsk(acts.remove),
    },
  ]
  return <MoreMenu label={say('users.actions.label', { displayName: user.displayName })} actions={actions} />
}
