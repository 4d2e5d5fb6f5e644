import { IconBook, IconKeyboard, IconLogout, IconMoon, IconShieldLock, IconSun } from '@tabler/icons-react'
import { hasDocs } from '../../../lib/api/docs.ts'
import { atLeast, type Role } from '../../../lib/api/session.ts'
import type { SearchParams } from '../../../lib/lists/search-params.ts'
import { NAVIGATION, type NavItem } from '../../../lib/screen/nav.ts'
import { say } from '../../../lib/text/words.ts'

/** The palette calls `run` when the command is chosen. */
type Command = {
  id: string
  label: string
  /** Other words that people type for it. */
  also?: string
  icon: NavItem['icon']
  run: () => void
}
type Acts = {
  go: (to: string, search?: SearchParams) => void
  showKeys: () => void
  toggleScheme: () => void
  signOut: () => void
}

/** Returns the commands of the palette that a role may use, work first; `isView` leaves out personal ones. */
export function listCommands(
  role: Role | null,
  { dark, isView }: { dark: boolean; isView: boolean },
  acts: Acts,
): Command[] {
  const adds = NAVIGATION.flatMap(({ items }) => items).flatMap(({ to, icon, adds: add }) =>
    add ? [{ id: `new ${to}`, label: add.label, icon, run: () => acts.go(to, { new: '1' }), least: add.least }] : [],
  )
  const explorer = {
    id: 'explorer',
    label: say('palette.command.explorer'),
    icon: IconBook,
    run: () => void window.open('/docs', '_blank', 'noopener'),
  }
  const all: (Command & { least?: Role; own?: true })[] = [
    ...adds,
    {
      id: 'keys',
      label: say('palette.command.keys'),
      also: say('palette.command.keys.also'),
      icon: IconKeyboard,
      run: acts.showKeys,
    },
    {
      id: 'scheme',
      label: say(dark ? 'palette.command.light' : 'palette.command.dark'),
      also: say('palette.command.scheme.also'),
      icon: dark ? IconSun : IconMoon,
      run: acts.toggleScheme,
    },
    {
      id: 'security',
      label: say('palette.command.security'),
      also: say('palette.command.security.also'),
      icon: IconShieldLock,
      run: () => acts.go('/security'),
      own: true,
    },
    ...(hasDocs() ? [explorer] : []),
    {
      id: 'sign-out',
      label: say('palette.command.sign_out'),
      also: say('palette.command.sign_out.also'),
      icon: IconLogout,
      run: acts.signOut,
      own: true,
    },
  ]
  return all.filter(({ least, own }) => (!least || (!isView && atLeast(role, least))) && !(own && isView))
}
