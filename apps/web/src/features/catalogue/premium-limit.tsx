import { CrownSimpleIcon } from '@phosphor-icons/react/dist/csr/CrownSimple'
import { cx } from '@duet/ui'
import { PremiumButton } from '../../shared/controls/premium-button.tsx'
import { t } from '../../shared/i18n.ts'
import { CARD_GRID } from '../../shared/people/card/person-grid.tsx'

/** After the first page, for a viewer without Premium: what Premium opens, above shapes of further cards. */
export function PremiumLimit({ shown }: { shown: number }) {
  return (
    <div className="relative mt-2.5 md:mt-[18px]">
      <div
        aria-hidden
        className={cx(
          CARD_GRID,
          'h-28 overflow-hidden mask-[linear-gradient(#000,transparent)] opacity-60',
        )}
      >
        {Array.from({ length: 5 }, (_, place) => (
          <span key={place} className="h-56 rounded-media bg-surface-2" />
        ))}
      </div>
      <div className="absolute inset-x-0 top-4 mx-auto flex w-[min(720px,100%)] items-center gap-4 rounded-panel bg-gold-lo px-5 py-4 shadow-[inset_0_0_0_1px_var(--hair-2)] md:px-7">
        <CrownSimpleIcon size={30} className="shrink-0 text-gold" />
        <p className="flex min-w-0 flex-1 flex-col">
          <span className="title">{t('catalogue.limit.title')}</span>
          <span className="note text-text-2">{t('catalogue.limit.text', { count: shown })}</span>
        </p>
        <PremiumButton />
      </div>
    </div>
  )
}
