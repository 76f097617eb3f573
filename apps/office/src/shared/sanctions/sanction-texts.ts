import texts from '@duet/locales/en/office-sanctions.json'
import { addTexts } from '../texts.ts'

addTexts(texts)
