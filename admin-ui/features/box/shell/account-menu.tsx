import { Avatar, Menu, SegmentedControl, UnstyledButton, useMantineColorScheme } from '@mantine/core'
import { IconBook, IconKeyboard, IconLogout, IconSelector, IconShieldLock } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { hasDocs } from '../../../lib/api/docs.ts'
import { ROLE_LABELS } from '../../../lib/api/session.ts'
import { initials } from '../../../lib/text/format.ts'
import { LANGUAGE_CHOICES, language } from '../../../lib/text/language.ts'
import { say } from '../../../lib/text/words.ts'
import { zoneName } from '../../../lib/text/zone.ts'
import type { Me } from '../../firm/auth/auth.api.ts'
import { chooseLanguage } from '../../firm/auth/choose-language.ts'
import { useSignOut } from '../../firm/auth/use-sign-out.ts'

/** Shows who is signed in, with the links to security, appearance, language, and the sign-out. */
export const AccountMenu = ({ me, showKeys }: { me: Me; showKeys: () => void }) => {
  const leave = useSignOut()
  return (
    <Menu position="top-start" width={236}>
      <Menu.Target>
        <UnstyledButton className="account">
          <Avatar size={28} radius="xl" color="accent" aria-hidden>
            {initials(me.displayName)}
          </Avatar>
          <span className="account-text">
            <span className="account-name">{me.displayName}</span>
            <span className="account-role">{me.role && ROLE_LABELS[me.role]}</span>
          </span>
          <IconSelector size={16} stroke={1.7} className="account-caret" />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label className="ellipsis">{me.email}</Menu.Label>
        <Menu.Item component={Link} to="/security" leftSection={<IconShieldLock size={16} />}>
          {say('shell.account.security')}
        </Menu.Item>
        {hasDocs() && (
          <Menu.Item component="a" href="/docs" target="_blank" leftSection={<IconBook size={16} />}>
            {say('shell.account.explorer')}
          </Menu.Item>
        )}
        <Menu.Item leftSection={<IconKeyboard size={16} />} onClick={showKeys}>
          {say('palette.command.keys')}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Label>{say('shell.appearance')}</Menu.Label>
        <SchemeSwitch />
        <Menu.Label>{say('shell.language')}</Menu.Label>
        <LanguageSwitch />
        <Menu.Label>{say('parts.zone', { zone: zoneName() })}</Menu.Label>
        <Menu.Divider />
        <Menu.Item leftSection={<IconLogout size={16} />} onClick={leave}>
          {say('shell.account.sign_out')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}

const SCHEMES = [
  { value: 'light', label: say('shell.light') },
  { value: 'dark', label: say('shell.dark') },
  { value: 'auto', label: say('parts.nav.system') },
] as const

const SchemeSwitch = () => {
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  return (
    <SegmentedControl
      fullWidth
      size="xs"
      mx={8}
      mb={6}
      aria-label={say('shell.appearance')}
      data={[...SCHEMES]}
      value={colorScheme}
      onChange={setColorScheme}
    />
  )
}

const LanguageSwitch = () => (
  <SegmentedControl
    fullWidth
    size="xs"
    mx={8}
    mb={6}
    aria-label={say('shell.language')}
    data={LANGUAGE_CHOICES}
    value={language}
    onChange={chooseLanguage}
  />
)
