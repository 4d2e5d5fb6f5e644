import { AppShell, Box, Burger, Group, ScrollArea } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { Outlet, useRouterState } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useState } from 'react'
import { Brand } from '../../../components/page/brand.tsx'
import { KeptPlace } from '../../../components/page/kept-place.tsx'
import { PageLoader } from '../../../components/page/page-loader.tsx'
import { atLeast, meQuery } from '../../../lib/api/session.ts'
import { useStandby } from '../../../lib/api/standby.ts'
import { currentView, type View } from '../../../lib/api/viewed-person.ts'
import { type HelpTerm, offerHelp, openHelp } from '../../../lib/screen/help.ts'
import { usePrintKey } from '../../../lib/screen/print-page.ts'
import { useStart } from '../../../lib/screen/use-once.ts'
import { speak } from '../../../lib/text/language.ts'
import { say } from '../../../lib/text/words.ts'
import { useLive } from '../../base/live/use-live.ts'
import type { Me } from '../../firm/auth/auth.api.ts'
import { RenewSignIn } from '../../firm/auth/renew-sign-in.tsx'
import { SessionEnded } from '../../firm/auth/session-ended.tsx'
import { useGoKeys } from '../../overview/search/use-go-keys.ts'
import { useHelpKey } from '../../overview/search/use-help-key.ts'
import { AccountMenu } from './account-menu.tsx'
import { Bell } from './bell.tsx'
import { CommandPalette, SearchButton, SearchIcon } from './command-palette.tsx'
import { NavLinks } from './nav-links.tsx'
import { OtherPerson } from './other-session.tsx'
import { PrintHead } from './print-head.tsx'

// This is rarely shown and draws QR codes, so it is not part of the first load.
const FirstThings = lazy(() =>
  import('../../firm/security/required-steps.tsx').then((file) => ({ default: file.FirstThings })),
)

const BrokerShell = lazy(() =>
  import('../../growth/affiliates/broker-shell.tsx').then((file) => ({ default: file.BrokerShell })),
)
const HelpDialog = lazy(() =>
  import('../../overview/help/help-dialog.tsx').then((file) => ({ default: file.HelpDialog })),
)
const WarningBanner = lazy(() =>
  import('../system/recovery-banner.tsx').then((file) => ({ default: file.WarningBanner })),
)
const RecoveryBanner = lazy(() =>
  import('../system/recovery-banner.tsx').then((file) => ({ default: file.RecoveryBanner })),
)
const FirstWeekBar = lazy(() =>
  import('../../overview/dashboard/first-week.tsx').then((file) => ({ default: file.FirstWeekBar })),
)
const StandbyBanner = lazy(() => import('./standby-banner.tsx').then((file) => ({ default: file.StandbyBanner })))
const ViewBanner = lazy(() => import('../../firm/views/view-banner.tsx').then((file) => ({ default: file.ViewBanner })))
const ClientView = lazy(() =>
  import('../../overview/client-view/client-view.tsx').then((file) => ({ default: file.ClientView })),
)

/**
 * Draws the frame of every signed-in page. When the session is removed from the cache, the pages that show its data are
 * removed too.
 */
export const Shell = () => {
  const { data: me } = useQuery(meQuery)
  // Recovery codes are shown once: the required steps stay until the codes are kept, even if none is required any more.
  const [held, setHeld] = useState(false)
  const view = currentView()
  // This runs once, when the person is known: it may reload the page, which would lose what is typed later.
  useStart(me?.kind === 'user' && !view, () => speak(me?.locale ?? null))
  if (!me) return <PageLoader />
  if (view && me.kind === 'trader') {
    return (
      <Suspense fallback={<PageLoader />}>
        <ClientView me={me} view={view} />
      </Suspense>
    )
  }
  // In a view the viewer is not asked for the viewed person's required steps, and other tabs are not told of a new
  // person.
  if (view) return <Frame me={me} view={view} />
  // An introducing broker is no colleague, and sees no page of the firm, whatever the address says.
  if (me.affiliateId !== null)
    return (
      <Suspense fallback={<PageLoader />}>
        <BrokerShell me={me} affiliateId={me.affiliateId} />
      </Suspense>
    )
  const nothingFirst = !held && !me.mustChangePassword && !me.mustEnrolTwoFactor
  return (
    <>
      {nothingFirst ? (
        <Frame me={me} />
      ) : (
        <Suspense fallback={<PageLoader />}>
          <FirstThings me={me} onHold={setHeld} />
        </Suspense>
      )}
      <OtherPerson me={me} />
    </>
  )
}

/** Draws side bar, header, banners, page and command palette. */
const Frame = ({ me, view = null }: { me: Me; view?: View | null }) => {
  useLive()
  const [opened, { toggle, close }] = useDisclosure()
  const [helping, setHelping] = useState<{ term: HelpTerm | null } | null>(null)
  useEffect(() => offerHelp((term) => setHelping({ term })), [])
  useHelpKey(openHelp)
  useGoKeys()
  usePrintKey()
  const path = useRouterState({ select: (state) => state.location.pathname })
  // On a phone the menu covers the page, so it closes when the page changes.
  useEffect(() => {
    if (path) close()
  }, [path, close])
  return (
    // on a phone the menu lies over the buttons at the foot of a page or list
    <AppShell
      zIndex={160}
      header={{ height: { base: 52, sm: 0 } }}
      navbar={{ width: 228, breakpoint: 'sm', collapsed: { mobile: !opened } }}
      transitionDuration={0}
    >
      <PrintHead me={me} />
      <a href="#content" className="skip">
        {say('shell.skip')}
      </a>
      <TopBar me={me} isOpen={opened} onToggle={toggle} />
      <SideBar me={me} isView={view !== null} showKeys={() => openHelp()} />
      <AppShell.Main id="content" tabIndex={-1}>
        <Banners me={me} view={view} />
        <Outlet />
      </AppShell.Main>
      <CommandPalette me={me} isView={view !== null} showKeys={() => openHelp()} />
      {helping && (
        <Suspense>
          <HelpDialog term={helping.term} onClose={() => setHelping(null)} />
        </Suspense>
      )}
      {!view && <RenewSignIn me={me} />}
      {!view && <SessionEnded me={me} />}
    </AppShell>
  )
}

type TopBarProps = { me: Me; isOpen: boolean; onToggle: () => void }

/** Shows the header of a phone, from which the menu is opened. */
const TopBar = ({ me, isOpen, onToggle }: TopBarProps) => (
  <AppShell.Header hiddenFrom="sm" className="shell-header">
    <Group h="100%" px="sm" justify="space-between" wrap="nowrap">
      <Brand tenant={me.tenant} />
      <Group gap={4} wrap="nowrap">
        <SearchIcon />
        <Bell userId={me.id} />
        <Burger
          opened={isOpen}
          onClick={onToggle}
          size="sm"
          aria-label={say(isOpen ? 'shell.menu.close' : 'shell.menu.open')}
        />
      </Group>
    </Group>
  </AppShell.Header>
)

type SideBarProps = { me: Me; isView: boolean; showKeys: () => void }

/** Shows the links to all pages; in a view it has no account menu. */
const SideBar = ({ me, isView, showKeys }: SideBarProps) => (
  <AppShell.Navbar className="shell-nav" aria-label={say('shell.main')}>
    <AppShell.Section visibleFrom="sm" className="shell-brand">
      <Brand tenant={me.tenant} />
    </AppShell.Section>
    <AppShell.Section className="shell-tools">
      <SearchButton />
      <Box visibleFrom="sm">
        <Bell userId={me.id} />
      </Box>
    </AppShell.Section>
    <AppShell.Section grow component={ScrollArea} px="xs" type="auto" scrollbarSize={6}>
      <NavLinks role={me.role} />
    </AppShell.Section>
    {!isView && (
      <AppShell.Section className="shell-account">
        <AccountMenu me={me} showKeys={showKeys} />
      </AppShell.Section>
    )}
  </AppShell.Navbar>
)

/** Shows above every page that a standby answers, whom a view shows, what is missing, and a new firm's next step. */
const Banners = ({ me, view }: { me: Me; view: View | null }) => {
  const standby = useStandby()
  return (
    <>
      {standby && (
        <Suspense>
          <StandbyBanner standby={standby} />
        </Suspense>
      )}
      {view && (
        <Suspense>
          <ViewBanner view={view} />
        </Suspense>
      )}
      {!view && me.role === 'platform_admin' && (
        <Suspense
          fallback={
            <>
              <KeptPlace name="recovery-key" isKnown={false} />
              <KeptPlace name="warning" isKnown={false} />
            </>
          }
        >
          <RecoveryBanner />
          <WarningBanner />
        </Suspense>
      )}
      {!view && atLeast(me.role, 'manager') && (
        <Suspense fallback={<KeptPlace name="week-bar" isKnown={false} />}>
          <FirstWeekBar />
        </Suspense>
      )}
    </>
  )
}
