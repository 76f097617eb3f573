import { CrownSimpleIcon } from '@phosphor-icons/react/dist/csr/CrownSimple'
import { SlidersHorizontalIcon } from '@phosphor-icons/react/dist/csr/SlidersHorizontal'
import { useState } from 'react'
import { Button, Chip, ChipRow, Dialog, Segment, Select } from '@duet/ui'
import { localeNames } from '@duet/protocol/kernel/locales.ts'
import { t } from '../../shared/i18n.ts'
import { useBackEntry } from '../../shared/navigation/back-entries.ts'
import { formatLanguageName } from '../../shared/texts/person.ts'
import type { FilterProps } from './filter-bar.tsx'
import { SORTS, TABS } from './girl-filter.ts'
import { SearchField } from './search-field.tsx'
import { TabLabel } from './tab-label.tsx'

/** The choices above the list, on a phone: the lists as chips, and the rest in a sheet. */
export function FilterChips({ filter, onChange }: FilterProps) {
  const [isOpen, setOpen] = useState(false)
  useBackEntry(isOpen, () => setOpen(false))
  const { tab, name, language, top, sort } = filter
  const isSearch = name.trim() !== ''
  // The recommendations are one list for each viewer, without a choice.
  const isRecommended = tab === 'recommended' && !isSearch
  const isFiltered = !isRecommended && (isSearch || language !== undefined || sort !== 'best')
  return (
    <>
      <ChipRow label={t('catalogue.tabs')}>
        {TABS.map((value) => (
          <Chip
            key={value}
            selected={value === tab}
            className="min-h-10!"
            onClick={() => onChange({ tab: value, name: '' })}
          >
            <TabLabel tab={value} />
          </Chip>
        ))}
        <Chip
          selected={isFiltered}
          className="min-h-10!"
          icon={<SlidersHorizontalIcon size={16} />}
          onClick={() => setOpen(true)}
        >
          {t('catalogue.filter')}
        </Chip>
        {isRecommended ? null : (
          <Chip
            selected={top}
            className="min-h-10!"
            icon={<CrownSimpleIcon size={16} weight={top ? 'fill' : 'regular'} />}
            onClick={() => onChange({ top: !top })}
          >
            {t('person.top')}
          </Chip>
        )}
      </ChipRow>
      <Dialog
        open={isOpen}
        onClose={() => setOpen(false)}
        title={t('catalogue.filter')}
        closeLabel={t('action.close')}
        actions={
          <Button variant="primary" wide onClick={() => setOpen(false)}>
            {t('catalogue.show')}
          </Button>
        }
      >
        <div className="flex flex-col gap-5">
          <SearchField name={name} onChange={(next) => onChange({ name: next })} />
          {isRecommended ? null : (
            <Select
              label={t('language.choose')}
              options={[
                { value: 'any', label: t('catalogue.any_language') },
                ...localeNames.map((locale) => ({
                  value: locale,
                  label: formatLanguageName(locale),
                })),
              ]}
              value={language ?? 'any'}
              onChange={(next) => onChange({ language: next === 'any' ? undefined : next })}
            />
          )}
          {isRecommended || isSearch ? null : (
            <Segment
              label={t('catalogue.sort')}
              size={48}
              wide
              value={sort}
              onChange={(next) => onChange({ sort: next })}
              options={SORTS.map((value) => ({ value, label: t(`catalogue.sort.${value}`) }))}
            />
          )}
        </div>
      </Dialog>
    </>
  )
}
