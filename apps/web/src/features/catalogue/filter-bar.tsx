import { CaretDownIcon } from '@phosphor-icons/react/dist/csr/CaretDown'
import { CrownSimpleIcon } from '@phosphor-icons/react/dist/csr/CrownSimple'
import { Button, Chip, Menu, Segment } from '@duet/ui'
import { t } from '../../shared/i18n.ts'
import { formatLanguageName } from '../../shared/texts/person.ts'
import { localeNames } from '@duet/protocol/kernel/locales.ts'
import { type GirlFilter, SORTS, TABS } from './girl-filter.ts'
import { SearchField } from './search-field.tsx'
import { TabLabel } from './tab-label.tsx'

export interface FilterProps {
  readonly filter: GirlFilter
  readonly onChange: (changed: Partial<GirlFilter>) => void
}

/** The choices above the list, on a desktop. */
export function FilterBar({ filter, onChange }: FilterProps) {
  const { tab, name, language, top, sort } = filter
  const isRecommended = tab === 'recommended' && name.trim() === ''
  return (
    <div className="flex flex-wrap items-center justify-between gap-3">
      <Segment
        label={t('catalogue.tabs')}
        size={48}
        value={tab}
        onChange={(next) => onChange({ tab: next, name: '' })}
        options={TABS.map((value) => ({ value, label: <TabLabel tab={value} /> }))}
      />
      <div className="flex flex-wrap items-center gap-2.5">
        <SearchField name={name} onChange={(next) => onChange({ name: next })} className="w-60" />
        {isRecommended ? null : (
          <>
            <Menu
              trigger={
                <Button variant="secondary" end={<CaretDownIcon size={14} weight="bold" />}>
                  {language ? formatLanguageName(language) : t('language.choose')}
                </Button>
              }
              entries={[
                {
                  label: t('catalogue.any_language'),
                  chosen: language === undefined,
                  onSelect: () => onChange({ language: undefined }),
                },
                'line',
                ...localeNames.map((locale) => ({
                  label: formatLanguageName(locale),
                  chosen: locale === language,
                  onSelect: () => onChange({ language: locale }),
                })),
              ]}
            />
            <Chip
              selected={top}
              className="min-h-12!"
              icon={<CrownSimpleIcon size={16} weight={top ? 'fill' : 'regular'} />}
              onClick={() => onChange({ top: !top })}
            >
              {t('person.top')}
            </Chip>
            {name.trim() === '' ? (
              <Menu
                trigger={
                  <Button variant="secondary" end={<CaretDownIcon size={14} weight="bold" />}>
                    {t(`catalogue.sort.${sort}`)}
                  </Button>
                }
                entries={SORTS.map((value) => ({
                  label: t(`catalogue.sort.${value}`),
                  chosen: value === sort,
                  onSelect: () => onChange({ sort: value }),
                }))}
              />
            ) : null}
          </>
        )}
      </div>
    </div>
  )
}
