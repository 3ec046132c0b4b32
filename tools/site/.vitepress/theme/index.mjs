import theme from "vitepress/theme-without-fonts"; // fonts of the system keep the site small
import "./style.css"; // comes last, so that its colors win

// VitePress reads the default export.
// oxlint-disable-next-line import/no-default-export
export default theme;
