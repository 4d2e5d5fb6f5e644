import { useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import type { PagePath } from '../../../lib/screen/page-path.ts'
import { isField } from '../../../lib/screen/screen-keys.ts'

const PAGES: Record<string, PagePath> = {
  h: '/',
  c: '/traders',
  d: '/deposits',
  w: '/withdrawals',
  k: '/kyc',
  s: '/support',
  l: '/leads',
}

/** Opens a page by `g` and its letter, outside of fields and dialogs. */
export const useGoKeys = (): void => {
  const navigate = useNavigate()
  useEffect(() => {
    let begun = false
    const press = (event: KeyboardEvent): void => {
      const plain = !event.ctrlKey && !event.metaKey && !event.altKey && !isField(event.target)
      const to = begun ? PAGES[event.key.toLowerCase()] : undefined
      begun = plain && !begun && event.key === 'g' && document.querySelector('[role="dialog"]') === null
      if (!plain || to === undefined) return
      // On some pages the letter alone has another effect, such as approving.
      event.stopImmediatePropagation()
      event.preventDefault()
      void navigate({ to })
    }
    window.addEventListener('keydown', press, true)
    return () => window.removeEventListener('keydown', press, true)
  }, [navigate])
}
