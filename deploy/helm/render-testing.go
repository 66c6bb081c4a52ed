// Renders the chart as Helm does, with the template engine and functions that Helm uses, where Helm itself is not installed.
// Reads {"templates": {name: text}, "context": {...}} and writes {name: rendered text}.
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"text/template"

	"github.com/Masterminds/sprig"
)

func main() {
	var input struct {
		Templates map[string]string
		Context   map[string]interface{}
	}
	check(json.NewDecoder(os.Stdin).Decode(&input))
	all := template.New("chart").Option("missingkey=zero")
	functions := sprig.TxtFuncMap()
	functions["include"] = func(name string, data interface{}) (string, error) {
		var text bytes.Buffer
		err := all.ExecuteTemplate(&text, name, data)
		return text.String(), err
	}
	// JSON is YAML.
	functions["toYaml"] = func(value interface{}) (string, error) {
		text, err := json.Marshal(value)
		return string(text), err
	}
	all.Funcs(functions)
	for name, text := range input.Templates {
		template.Must(all.New(name).Parse(text))
	}
	rendered := map[string]string{}
	for name := range input.Templates {
		if strings.HasPrefix(name, "_") {
			continue
		}
		var text bytes.Buffer
		check(all.ExecuteTemplate(&text, name, input.Context))
		rendered[name] = text.String()
	}
	check(json.NewEncoder(os.Stdout).Encode(rendered))
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
