import { MantineProvider } from '@mantine/core'
import { Notifications } from '@mantine/notifications'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useMemo } from 'react'
import { MOST_SHOWN } from './lib/api/notify.tsx'
import { meQuery, readBrand } from './lib/api/session.ts'
import { consoleTheme, consoleVariables, DEFAULT_ACCENT } from './theme.ts'

const nonce = (): string => document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? ''

/** Provides theme, colour scheme and notices; the theme takes the firm's colour as soon as the session is loaded. */
export const Appearance = ({ children }: { children: ReactNode }) => {
  // This only reads what the router has loaded: signed-out pages must not ask who is signed in.
  const { data } = useQuery({ ...meQuery, enabled: false })
  const accent = (data && readBrand(data.tenant).color) ?? DEFAULT_ACCENT
  const theme = useMemo(() => consoleTheme(accent), [accent])
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={consoleVariables}
      defaultColorScheme="auto"
      getStyleNonce={nonce}
    >
      <Notifications position="bottom-right" limit={MOST_SHOWN} containerWidth={400} />
      {children}
    </MantineProvider>
  )
}
