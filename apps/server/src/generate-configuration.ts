import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { VARIABLES } from './config.ts'
import { configurationPage } from './lib/configuration/variables.ts'

const PAGE = join(import.meta.dirname, '../../../docs/configuration.gen.md')

writeFileSync(PAGE, configurationPage(VARIABLES))
