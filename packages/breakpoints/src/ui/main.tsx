import { render } from "preact";
import "./styles/tokens.css";

const place = document.getElementById("app");
if (place !== null) render(<p>The inbox.</p>, place);
