import { useEffect, useId } from 'react'

/** An act that the open page offers, by the name of its button. */
type PageAct = { label: string; run: () => void }
type Offered = { label: string; onClick: () => void }

/** The acts of the menus of a page, which are drawn only while such a menu is open. */
const menus = new Map<string, readonly Offered[]>()

/** Offers the acts of a menu to the palette while the menu's button is on the page. */
export function useOfferedActs(acts: readonly Offered[]): void {
  const id = useId()
  useEffect(() => {
    menus.set(id, acts)
    return () => void menus.delete(id)
  })
}

/** Rows, forms and tools of lists have acts of their own, which mean nothing without their place. */
const ELSEWHERE = '.list, form, .toolbar, .report-bar, [aria-haspopup=menu], [disabled], [data-disabled]'

const isFact = (element: Element): boolean => element.closest('.facts') !== null
/** Returns whether an element does something to the page or its record: a button with a text, or a choice in place. */
const isAct = (element: Element): boolean =>
  element.closest(ELSEWHERE) === null &&
  (element.matches('.mantine-Button-root, .mantine-Select-input') || (element.matches('button') && isFact(element)))

const readLabel = (element: Element): string =>
  element.getAttribute('aria-label') ??
  (element instanceof HTMLInputElement ? element.labels?.[0]?.textContent : element.textContent) ??
  ''

/** Runs an act once the palette is closed and has given the focus back. */
const later = (act: () => void) => (): void => void requestAnimationFrame(act)

/** Lists the acts of the open page; of a dialog or drawer, if one is open above the page. */
export function listPageActs(): PageAct[] {
  const above = [...document.querySelectorAll('[role=dialog]')].filter(
    (one) => !one.querySelector('.mantine-Spotlight-search'),
  )
  const place = above.at(-1) ?? document.querySelector('.page')
  const shown = [...(place?.querySelectorAll<HTMLElement>('a,button,input') ?? [])].filter(isAct)
  const toAct = (element: HTMLElement): PageAct => ({
    label: readLabel(element).trim(),
    run: later(() => {
      element.focus()
      element.click()
    }),
  })
  const all = [
    ...shown.filter((element) => !isFact(element)).map(toAct),
    ...(above.length > 0 ? [] : [...menus.values()].flat()).map(({ label, onClick }) => ({
      label,
      run: later(onClick),
    })),
    ...shown.filter(isFact).map(toAct),
  ]
  return [...new Map(all.filter(({ label }) => label !== '').map((act) => [act.label, act])).values()]
}
