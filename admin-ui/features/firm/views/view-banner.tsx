import { Button } from '@mantine/core'
import { IconEye } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { errorText } from '../../../components/page/error-state.tsx'
import { leaveView, type View } from '../../../lib/api/viewed-person.ts'
import { endView } from './views.api.ts'
import { say } from './words.ts'
import './views.css'

const SECOND = 1000
const MINUTE = 60 * SECOND
const secondsLeft = (view: View): number => Math.max(0, Math.ceil((Date.parse(view.expiresAt) - Date.now()) / SECOND))

/** Says on every page of a view whom it shows, that it only reads and how long it lasts, and can end it. */
export const ViewBanner = ({ view }: { view: View }) => {
  const [left, setLeft] = useState(() => secondsLeft(view))
  useEffect(() => {
    const timer = setInterval(() => {
      const now = secondsLeft(view)
      if (now === 0) leaveView()
      setLeft(now)
    }, SECOND)
    return () => clearInterval(timer)
  }, [view])
  // A refusal does not ask for a sign-in: the banner shows it, and the view still ends at its time.
  const end = useMutation({ mutationFn: () => endView(view.id), onSuccess: leaveView, meta: { public: true } })
  const minutes = Math.floor((left * SECOND) / MINUTE)
  const time = `${minutes}:${String(left % 60).padStart(2, '0')}`
  return (
    <section className="view-banner" aria-label={say('views.banner.label')}>
      <IconEye size={18} aria-hidden />
      <span className="view-banner-text">
        <strong>{say('views.banner.who', { name: view.name })}</strong> {say('views.banner.read_only')}
        {end.error ? ` ${errorText(end.error)}` : ''}
      </span>
      <span className="view-banner-time" role="timer" aria-label={say('views.banner.left', { time })}>
        {time}
      </span>
      <Button size="compact-sm" variant="white" color="dark" loading={end.isPending} onClick={() => end.mutate()}>
        {say('views.banner.end')}
      </Button>
    </section>
  )
}
